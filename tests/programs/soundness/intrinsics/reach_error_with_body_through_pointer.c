// PROPERTY unreach-call
// EXPECT violated
// A body of the program's own changes nothing.
extern int nondet_int(void);

void reach_error(void) { } // VIOLATION

static void nothing(void) { }

static void (*table[2])(void) = { nothing, reach_error };

int main(void)
{
    int i = nondet_int();
    if (i == 0 || i == 1)
        table[i]();
    return 0;
}
