// EXPECT violated
#include <assert.h>

static int log;

static int note(int digit)
{
    log = log * 10 + digit;
    return 0;
}

int main(void)
{
    int sum = note(1) + (note(2) + note(3));
    assert(log != 213); // VIOLATION
    return sum;
}
