// The call may come between reading and writing of the assignment.
// EXPECT violated
#include <assert.h>

static int number = 1;

static int set(void)
{
    number = 10;
    return 0;
}

int main(void)
{
    int sum = (number = number + 1) + set();
    assert(sum == 11 || number == 10); // VIOLATION
    return 0;
}
