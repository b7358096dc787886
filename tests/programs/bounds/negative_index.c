// An input may be negative.
// PROPERTY valid-deref
// EXPECT violated
// NONDET -1..4
extern int __VERIFIER_nondet_int(void);

int data[4];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 4)
        data[i] = 1; // VIOLATION
    return 0;
}
