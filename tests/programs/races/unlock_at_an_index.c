// Which lock is released depends on an input; where a lock is, is looked at first.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 0..1
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int data;
pthread_mutex_t locks[2];

void *work(void *unused) {
    pthread_mutex_lock(&locks[1]);
    data++; // RACE
    pthread_mutex_unlock(&locks[1]);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&locks[0], &attribute);
    pthread_mutex_init(&locks[1], &attribute);
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index > 1) {
        return 0;
    }
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&locks[1]);
    pthread_mutex_unlock(&locks[index]);
    data++; // RACE
    pthread_mutex_unlock(&locks[1]);
    return 0;
}
