// EXPECT violated
// NONDET 12..13
#include <assert.h>
#include <locale.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int category = __VERIFIER_nondet_int();
    assert(setlocale(category, "C") != 0); // VIOLATION
    return 0;
}
