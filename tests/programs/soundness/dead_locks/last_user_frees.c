// Whoever comes last, as the count under the mutex says, destroys and frees it: each unlock comes before.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t m;
    int users;
};

static void leave(struct shared *s) {
    pthread_mutex_lock(&s->m);
    int left = --s->users;
    pthread_mutex_unlock(&s->m);
    if (left == 0) {
        pthread_mutex_destroy(&s->m);
        free(s);
    }
}

static void *other(void *s) {
    leave(s);
    return 0;
}

int main(void) {
    pthread_t t;
    struct shared *s = malloc(sizeof *s);
    pthread_mutex_init(&s->m, 0);
    s->users = 2;
    pthread_create(&t, 0, other, s);
    leave(s);
    pthread_join(t, 0);
    return 0;
}
