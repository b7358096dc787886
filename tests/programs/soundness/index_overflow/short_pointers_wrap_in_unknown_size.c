// As the member that wraps, in an array of unknown size.
// PROPERTY valid-deref
// EXPECT violated
// OPTION ilp32
// NONDET 0..1
extern void *malloc(unsigned size);
extern int __VERIFIER_nondet_int(void);

struct triple { int first, second, third; };

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 1)
        return 0;
    struct triple *triples = malloc((count + 1) * sizeof *triples);
    triples[count].first = 1;
    struct triple *wrapped = &triples[0x15555555 * (count + 1)];
    wrapped->second = 1; // VIOLATION
    return 0;
}
