// PROPERTY valid-deref
// EXPECT proved
// NONDET 0..5
extern int __VERIFIER_nondet_int(void);

struct triple { int first, second, third; };

struct triple triples[4];

int main(void)
{
    unsigned long index = __VERIFIER_nondet_int();
    if (index < 4)
        triples[index].third = 1;
    long behind = __VERIFIER_nondet_int();
    if (behind > 0 && behind <= 4)
        (triples + 4 - behind)->first = 1;
    return 0;
}
