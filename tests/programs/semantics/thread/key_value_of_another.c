// A value that another thread set is not seen.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

pthread_key_t k;
int a;

void *worker(void *arg) {
    *(int *)pthread_getspecific(k) = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&k, 0);
    pthread_setspecific(k, &a);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
