// The head of a loop belongs to one block: its compound literal is the same object in every iteration.
// EXPECT proved
#include <assert.h>

int main(void)
{
    int *p = 0, *q, n = 0;
    while ((q = &(int){n}), n++ < 2) {
        if (!p)
            p = q;
        assert(p == q && *p == n - 1);
    }
    int *r = 0;
    for (int i = 0, *s = 0; i < 3; s = &(int){i}, i++) {
        if (!r)
            r = s;
        assert(r == s);
    }
    return 0;
}
