// Objects of every kind have the alignment that they are declared with.
// EXPECT proved
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>

int main(void)
{
    static char fixed __attribute__((aligned(64)));
    static _Alignas(128) char other;
    int n = 3;
    int variable[n] __attribute__((aligned(64)));
    _Alignas(32) char bytes[n];
    assert(((unsigned long)&fixed & 63) == 0 && ((unsigned long)&other & 127) == 0);
    assert(((unsigned long)variable & 63) == 0 && ((unsigned long)bytes & 31) == 0);
    return 0;
}
