// PROPERTY valid-deref
// EXPECT violated
extern int nondet_int(void);

int main(void)
{
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        if (p)
            return *p; // VIOLATION
        nondet_int() && (p = &(int){i});
    }
    return 0;
}
