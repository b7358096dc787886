// Destructors are code of the thread that ends: nothing orders those of two threads.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_key_t k;
int own, ran;

void destroy(void *value) {
    ran++; // VIOLATION
}

void *worker(void *arg) {
    pthread_setspecific(k, &own);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
