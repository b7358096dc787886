// An index of 64 bits is not cut to the width of a pointer.
// PROPERTY valid-deref
// EXPECT violated
// OPTION ilp32
// NONDET 0..1
extern int __VERIFIER_nondet_int(void);

int numbers[4];

int main(void)
{
    long long index = (long long)__VERIFIER_nondet_int() << 32;
    numbers[index] = 1; // VIOLATION
    return 0;
}
