// The pointer that `?:` yields has the qualifiers of both arms.
// EXPECT proved
#include <assert.h>

extern int nondet_int(void);

static int writable(char *text)
{
    return text != 0;
}

static int constant(const char *text)
{
    return text ? 2 : 3;
}

#define PICK(text) _Generic((text), char *: writable, const char *: constant)(text)

int main(void)
{
    char own[2] = "y";
    const char *given = "x";
    assert(PICK(nondet_int() ? own : given) == 2);
    assert(PICK(nondet_int() ? own : own) == 1);
    const int number = 0, *c = &number;
    volatile int *v = 0;
    assert(_Generic(nondet_int() ? c : v, const volatile int *: 1, default: 0));
    return 0;
}
