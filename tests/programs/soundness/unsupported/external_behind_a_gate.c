// EXPECT unknown
#include <assert.h>

extern int nondet_int(void);
extern double outside(void);

int main(void)
{
    if (nondet_int() != 123456)
        return 0;
    double x = outside();
    assert(x < 0.5);
    return 0;
}
