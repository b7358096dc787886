// Every unlock follows its lock, in threads without number.
// PROPERTY lock-misuse
// EXPECT unbounded
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (x > 3) {
            pthread_mutex_unlock(&m);
            return 0;
        }
        x++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
