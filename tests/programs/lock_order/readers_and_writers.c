// Readers and writers of one lock, under another one.
// PROPERTY no-deadlock
// EXPECT unbounded
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t inner = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *reader(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_rwlock_rdlock(&inner);
        int seen = x;
        pthread_rwlock_unlock(&inner);
    }
    return 0;
}

void *writer(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&outer);
        pthread_rwlock_wrlock(&inner);
        x++;
        pthread_rwlock_unlock(&inner);
        pthread_mutex_unlock(&outer);
    }
    return 0;
}

int main(void) {
    pthread_t t, u;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, reader, 0);
        pthread_create(&u, 0, writer, 0);
    }
    return 0;
}
