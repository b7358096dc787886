// Nothing comes between reading and writing of `++` and `+=`.
// EXPECT proved
#include <assert.h>

static int number = 1;

static int set(void)
{
    number = 10;
    return 0;
}

int main(void)
{
    int sum = number++ + set();
    assert(sum == 1 && number == 10 || sum == 10 && number == 11);
    number = 1;
    sum = (number += 1) + set();
    assert(sum == 2 && number == 10 || sum == 11 && number == 11);
    return 0;
}
