// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..1
extern int __VERIFIER_nondet_int(void);

struct pair { long first, second; };

struct pair pairs[2];

int main(void)
{
    unsigned long index = (unsigned long)__VERIFIER_nondet_int() << 60;
    if (index != 0)
        pairs[index].second = 1; // VIOLATION
    return 0;
}
