// PROPERTY unreach-call
// EXPECT violated
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
}

static int wait(int number)
{
    while (number != 3)
        number ^= 1;
    return 0;
}

static int fail(void)
{
    reach_error(); // VIOLATION
    return 1;
}

int main(void)
{
    return wait(0) + fail();
}
