// The operands are small enough.
// PROPERTY no-overflow
// EXPECT holds
// NONDET -4..4
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -3 || x > 3)
        return 0;
    return x * x * 1000;
}
