// The jump back ends no local: `own` dies only when the function returns, and then at a place where no round is under way.
// PROPERTY valid-deref
// EXPECT violated
extern int __VERIFIER_nondet_int(void);
int *known;

static int *again(void) {
    known = 0;
again:
    if (__VERIFIER_nondet_int())
        return known;
    int own;
    own = 0;
    known = &own;
    goto again;
}

int main(void) {
    int *dead = again();
    if (dead)
        *dead = 1; // VIOLATION
    return 0;
}
