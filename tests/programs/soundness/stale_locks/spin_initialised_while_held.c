// As initialised_while_held, with a spin lock on the heap, behind an input.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);
struct shared { pthread_spinlock_t m; int x; };

static void *w(void *arg) {
    struct shared *s = arg;
    pthread_spin_lock(&s->m);
    s->x++; // RACE
    pthread_spin_unlock(&s->m);
    return 0;
}

int main(void) {
    pthread_t t;
    struct shared *s = calloc(1, sizeof *s);
    if (nondet_int() != 123456)
        return 0;
    pthread_spin_init(&s->m, 0);
    pthread_spin_lock(&s->m);
    pthread_spin_init(&s->m, 0);
    pthread_create(&t, 0, w, s);
    s->x++; // RACE
    pthread_join(t, 0);
    return 0;
}
