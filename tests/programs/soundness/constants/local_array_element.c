// PROPERTY valid-deref
// EXPECT violated
extern int nondet_int(void);

int main(void)
{
    const int table[3] = { 1, 2, 3 };
    int i = nondet_int();
    int *p = (int *)table;
    if (i >= 0 && i < 3)
        p[i] = 0; // VIOLATION
    return 0;
}
