// EXPECT unknown
#include <assert.h>

extern int maybe __attribute__((weak));

int main(void)
{
    assert(&maybe != 0);
    return 0;
}
