// As in `unlocked_by_another_of_its_kind.c`, with a lock that many hold at a time.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>
pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *argument) {
    if (argument)
        pthread_rwlock_rdlock(&m);
    else
        pthread_rwlock_unlock(&m); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    for (long i = 1; i >= 0; i--)
        pthread_create(&t, 0, worker, (void *)i);
    return 0;
}
