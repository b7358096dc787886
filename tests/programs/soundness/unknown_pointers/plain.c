// EXPECT unknown
#include <assert.h>

extern int *pointer;

int main(void)
{
    if (pointer)
        assert(*pointer == 0);
    return 0;
}
