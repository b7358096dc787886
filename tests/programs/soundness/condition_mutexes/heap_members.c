// The same in members of heap objects: each has its mutex, and they share a condition.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

struct worker {
    pthread_mutex_t m;
    pthread_cond_t *c;
};

static void *work(void *arg) {
    struct worker *w = arg;
    pthread_mutex_lock(&w->m);
    pthread_cond_wait(w->c, &w->m); // VIOLATION
    pthread_mutex_unlock(&w->m);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct worker *w = calloc(2, sizeof *w);
    w[0].c = w[1].c = &c;
    pthread_create(&t, 0, work, &w[0]);
    pthread_create(&u, 0, work, &w[1]);
    pthread_join(t, 0);
    return 0;
}
