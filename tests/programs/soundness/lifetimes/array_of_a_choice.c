// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..1
extern int __VERIFIER_nondet_int(void);

struct numbers { int items[3]; } one, other;

int main(void)
{
    int *items = (__VERIFIER_nondet_int() ? one : other).items;
    return items[1]; // VIOLATION
}
