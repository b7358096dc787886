// From the second element on, the product leads to the first one, modulo 2^32.
// PROPERTY valid-deref
// EXPECT violated
// OPTION ilp32
// NONDET 0..1
extern int __VERIFIER_nondet_int(void);

int numbers[4];

int main(void)
{
    int *second = &numbers[1];
    int index = __VERIFIER_nondet_int() == 1 ? 0x3fffffff : 2;
    second[index] = 1; // VIOLATION
    return 0;
}
