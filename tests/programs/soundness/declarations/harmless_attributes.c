// EXPECT proved
#include <assert.h>

__attribute__((noinline, unused, pure)) static int f(int x)
{
    return x + 1;
}
static int kept __attribute__((used, section(".data"), aligned(64))) = 4;
struct __attribute__((packed, aligned(2))) tight {
    char a;
    int b;
};

[[maybe_unused]] static int g(void)
{
    return 2;
}

#pragma GCC diagnostic push
#pragma STDC FP_CONTRACT OFF
int main(void)
{
    assert(f(kept) == 5 && sizeof(struct tight) == 6);
    return 0;
}
