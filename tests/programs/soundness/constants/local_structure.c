// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

struct pair {
    int a, b;
};

int main(void)
{
    const struct pair p = { 1, 2 };
    memset((void *)&p, 0, sizeof p); // VIOLATION
    return p.a;
}
