// EXPECT unknown
#include <assert.h>

struct pair {
    int a, b;
};
extern struct pair outside(void);

int main(void)
{
    struct pair p = outside();
    assert(p.a == 0 && p.b == 0);
    return 0;
}
