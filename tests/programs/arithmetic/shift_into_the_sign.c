// A one is shifted into the sign bit: the value does not fit.
// PROPERTY no-overflow
// EXPECT violated
// NONDET 30..32
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 31)
        return 0;
    return 1 << n; // VIOLATION
}
