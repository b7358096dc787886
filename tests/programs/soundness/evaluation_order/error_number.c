// EXPECT violated
#include <assert.h>
#include <errno.h>
#include <math.h>

static int is_positive(double number)
{
    return sqrt(number) > 0;
}

int main(void)
{
    errno = 0;
    int sum = errno + is_positive(-1.0);
    assert(sum == 0); // VIOLATION
    return 0;
}
