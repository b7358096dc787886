// NONDET 123456..123456
// PROPERTY valid-deref
// EXPECT violated
extern int nondet_int(void);
static const char text[] = "constant";

int main(void)
{
    char *p = (char *)text;
    if (nondet_int() != 123456)
        return 0;
    p[2] = 'x'; // VIOLATION
    return 0;
}
