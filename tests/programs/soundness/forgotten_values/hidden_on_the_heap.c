// A pointer to the heap that is kept as its complement; after the join nothing races.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
// NONDET 123456..123456
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

int nondet_int(void);
struct node { uintptr_t hidden; int x; };

static void *t(void *arg) {
    struct node *n = arg;
    struct node *m = (struct node *)~n->hidden;
    m->x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    if (nondet_int() != 123456)
        return 0;
    struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m);
    n->hidden = ~(uintptr_t)m;
    pthread_create(&h, 0, t, n);
    m->x = 2; // RACE
    pthread_join(h, 0);
    m->x = 3;
    free(n);
    free(m);
    return 0;
}
