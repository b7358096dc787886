// As in `a_pointer_that_is_never_null.c`, but a thread that is not under the lock may find no buffer.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int one[4], two[4];
int *current;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
    pthread_mutex_lock(&m);
    current = 0;
    current = two;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    current = one;
    pthread_create(&t, 0, worker, 0);
    current[3] = 1; // VIOLATION
    return 0;
}
