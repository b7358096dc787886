// The index leads to four bytes before the end of the address space, and the member from there to the beginning.
// PROPERTY valid-deref
// EXPECT violated
// OPTION ilp32
// NONDET 0..1
extern int __VERIFIER_nondet_int(void);

struct triple { int first, second, third; };

struct triple triples[4];

int main(void)
{
    int index = __VERIFIER_nondet_int() == 1 ? 0x15555555 : 3;
    triples[index].second = 1; // VIOLATION
    return 0;
}
