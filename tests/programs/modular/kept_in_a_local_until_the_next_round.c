// The address of what a round frees stays in a struct on the stack.
// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct holder {
    int *last;
};

static void use(struct holder *holder) {
    if (holder->last)
        *holder->last = 1; // VIOLATION
}

int main(void) {
    struct holder holder = {0};
    while (__VERIFIER_nondet_int()) {
        use(&holder);
        int *own = malloc(sizeof(int));
        holder.last = own;
        free(own);
    }
    return 0;
}
