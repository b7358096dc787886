// EXPECT violated
#include <assert.h>

static const int three = 3;
static int copy = three;

int main(void)
{
    copy++;
    assert(copy == three); // VIOLATION
    return 0;
}
