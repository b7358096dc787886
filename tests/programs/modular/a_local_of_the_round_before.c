// A local lives again in each round; what is known of it from the round before is dead.
// PROPERTY valid-deref
// EXPECT violated
extern int __VERIFIER_nondet_int(void);

static void use(int *address) { *address = 1; }

int main(void) {
    int *before = 0;
    while (__VERIFIER_nondet_int()) {
        if (before)
            *before = 2; // VIOLATION
        int own = 0;
        use(&own);
        before = &own;
    }
    return 0;
}
