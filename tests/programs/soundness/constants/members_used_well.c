// Memory from the heap is never constant; other members, copies, parameters and results can be written.
// PROPERTY valid-deref
// EXPECT proved
#include <stdlib.h>
#include <string.h>

struct s {
    const int a;
    int b;
};
union u {
    const int a;
    int b;
};

static struct s make(struct s from)
{
    from.b = 7;
    struct s r = {from.a, from.b};
    r.b++;
    return r;
}

int main(void)
{
    struct s l = {1, 2};
    struct s *p = malloc(2 * sizeof *p);
    memcpy(p, &l, sizeof l);
    *(int *)&p[1].a = 3;
    for (int i = 0; i < 2; i++) {
        struct s each = {i, 2};
        each.b = make(each).a;
        p->b += each.b;
    }
    union u u = {1};
    u.b = 2;
    struct s *q = &(struct s){1, 2};
    q->b = 3;
    free(p);
    return 0;
}
