// A local lives again in each round.
// PROPERTY valid-deref
// EXPECT unbounded
extern int __VERIFIER_nondet_int(void);

static void use(int *address) { *address = 1; }

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int own[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            use(&own[i]);
        int other = own[2];
        use(&other);
    }
    return 0;
}
