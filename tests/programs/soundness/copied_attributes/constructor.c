// The second function is a constructor like the first one.
// EXPECT unknown
#include <assert.h>

static int number;

__attribute__((constructor)) static void first(void)
{
    number += 1;
}

__attribute__((copy(first))) void second(void);

void second(void)
{
    number += 2;
}

int main(void)
{
    assert(number == 1);
    return 0;
}
