// PROPERTY valid-deref
// EXPECT violated
// NONDET 1..3
// TREES unknown the address has too many possible values
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 1000) return 0;
    char *text = malloc(length);
    for (char *p = text; p <= text + length; p++) *p = 'x'; // VIOLATION
    return 0;
}
