// Of what a pointer leads to, the greatest alignment counts that the pointer had on its way through casts.
// EXPECT proved

#include <assert.h>

struct wide { _Alignas(32) char first; };

int main(void)
{
    int number = 0;
    struct wide object = {0}, *pointer = &object;
    char *bytes = (char *)&number;
    assert(__alignof__(*(char *)&number) == 4 && __alignof__(*(char *)(void *)&number) == 4);
    assert(__alignof__(*bytes) == 1 && __alignof__(*(int *)bytes) == 4);
    assert(__alignof__(*(char *)pointer) == 32 && __alignof__(*pointer) == 32);
    return *bytes + pointer->first;
}
