// NONDET 0..1
// EXPECT proved
// TREES unknown labels are compared like literals
#include <assert.h>

extern int nondet_int(void);

static int run(const unsigned char *code)
{
    static void *const table[] = { &&halt, &&add, &&twice };
    int x = 1;
    goto *table[*code];
add:
    x += 2;
    goto *table[*++code];
twice:
    x *= 2;
    goto *table[*++code];
halt:
    return x;
}

int main(void)
{
    static const unsigned char program[] = { 1, 2, 1, 0 };
    assert(run(program) == 8);
    static const unsigned char other[] = { 2, 2, 0 };
    assert(run(nondet_int() ? program : other) >= 4);
    return 0;
}
