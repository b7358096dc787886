// What each thread allocates for itself is freed at its end.
// PROPERTY valid-memcleanup
// EXPECT holds
#include <pthread.h>
#include <stdlib.h>

pthread_key_t k;

void *worker(void *arg) {
    pthread_setspecific(k, malloc(4));
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_key_create(&k, free);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
