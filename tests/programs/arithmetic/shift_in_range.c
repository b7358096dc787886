// The count is below the width.
// PROPERTY no-bad-shift
// EXPECT holds
// NONDET 30..33
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n >= 32)
        return 0;
    return 1u << n;
}
