// What one round frees and leaves in a global, the next one frees again.
// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *before;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int *own = malloc(sizeof(int));
        if (before)
            free(before); // VIOLATION
        free(own);
        before = own;
    }
    return 0;
}
