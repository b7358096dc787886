// EXPECT unknown
#include <assert.h>

extern int (*function)(void);
int x;

int main(void)
{
    if (function)
        assert(function() == 0);
    return 0;
}
