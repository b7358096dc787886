// Both ends are checked.
// PROPERTY valid-deref
// EXPECT holds
// NONDET -1..4
extern int __VERIFIER_nondet_int(void);

int data[4];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4)
        data[i] = 1;
    return 0;
}
