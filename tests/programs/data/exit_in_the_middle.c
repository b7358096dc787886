// EXPECT proved
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>

int main(void) {
    int input = __VERIFIER_nondet_int();
    if (input > 0) exit(1);
    if (input < 0) return 2;
    assert(input == 0);
    return 0;
}
