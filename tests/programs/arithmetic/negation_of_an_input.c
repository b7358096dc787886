// The least number has no opposite.
// PROPERTY no-overflow
// EXPECT violated
// NONDET -2147483648..-2147483647
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    return -x; // VIOLATION
}
