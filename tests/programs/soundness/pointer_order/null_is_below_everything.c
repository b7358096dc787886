// A pointer that may be null, or a number for an error, is ordered as a number where it is one.
// PROPERTY assert
// EXPECT proved
// NONDET 0..2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int number;

int main(void) {
    int choice = __VERIFIER_nondet_int();
    int *p = choice == 0 ? 0 : choice == 1 ? (int *)-1L : &number;
    int *q = choice == 0 ? (int *)-1L : choice == 1 ? 0 : &number;
    assert(choice == 0 ? p < q : choice == 1 ? q < p : q <= p);
    return 0;
}
