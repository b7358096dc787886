// PROPERTY valid-deref
// EXPECT proved
// OPTION ilp32
// NONDET 0..5
extern int __VERIFIER_nondet_int(void);

struct triple { int first, second, third; };

struct triple triples[4];

int main(void)
{
    int index = __VERIFIER_nondet_int();
    if (index >= 0 && index < 4)
        triples[index].third = 1;
    long long behind = __VERIFIER_nondet_int();
    if (behind > 0 && behind <= 4)
        (triples + 4 - behind)->first = 1;
    return 0;
}
