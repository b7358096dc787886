// EXPECT unknown
#include <assert.h>
#include <stddef.h>

extern int *outside(void);

int main(void)
{
    int *p = outside();
    assert(p == NULL);
    return 0;
}
