// Selection and iteration statements and their parts are blocks, with or without braces (C11 6.8.4 p3, 6.8.5 p5).
// PROPERTY valid-deref
// EXPECT violated
extern int nondet_int(void);

int main(void)
{
    int *p = 0;
    switch (nondet_int())
    case 1:
        p = &(int){4};
    if (p)
        return *p; // VIOLATION
    return 0;
}
