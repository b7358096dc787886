// Selection and iteration statements and their parts are blocks, with or without braces (C11 6.8.4 p3, 6.8.5 p5).
// PROPERTY valid-deref
// EXPECT proved
extern int nondet_int(void);

int main(void)
{
    int *p;
    if ((p = &(int){4}) && nondet_int())
        *p = 5;
    else
        *p = 6;
    int n = 0;
    while ((p = &(int){n}), *p < 2)
        if (++n && *p > 1)
            return 1;
    return 0;
}
