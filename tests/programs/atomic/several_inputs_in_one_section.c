// An atomic section is one step of a schedule, whatever it takes from outside: a witness has to tell both inputs.
// NONDET 0..7
// EXPECT violated
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int main(void) {
    __VERIFIER_atomic_begin();
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    __VERIFIER_atomic_end();
    assert(first != 6 || second != 7); // VIOLATION
}
