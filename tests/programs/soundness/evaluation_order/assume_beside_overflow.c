// PROPERTY no-overflow
// EXPECT violated
// NONDET 2147483647..2147483647
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int small(int number)
{
    __VERIFIER_assume(number < 1000);
    return number;
}

static int lesser(int one, int other)
{
    return one < other ? one : other;
}

int main(void)
{
    int number = __VERIFIER_nondet_int();
    return lesser(small(number), number + 1); // VIOLATION
}
