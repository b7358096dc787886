// EXPECT violated
#include <assert.h>

extern int nondet_int(void);

int main(void)
{
    int number = 0, *plain = &number;
    const int *constant = &number;
    assert(_Generic(nondet_int() ? plain : constant, int *: 1, const int *: 0)); // VIOLATION
    return 0;
}
