// PROPERTY no-div-by-zero
// EXPECT proved
// NONDET -1..1
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    return n ? 6 / n : 0;
}
