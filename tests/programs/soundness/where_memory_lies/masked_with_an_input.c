// A pointer that is kept as the exclusive or with a secret comes back whole.
// EXPECT proved
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
#include <stdint.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int x = 3, y = 4;

int main(void) {
    uintptr_t secret = __VERIFIER_nondet_ulong();
    uintptr_t kept = (uintptr_t)&x ^ secret;
    int *p = (int *)(kept ^ secret);
    assert(*p == 3);
    assert(p == &x);
    return 0;
}
