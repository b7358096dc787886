// Whether the state is a deadlock depends on which of two elements the section writes to, one bit of an input: the walk parts
// there, and the second part is not the node that was met before.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int values[4];
int *target = &values[0];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    (*target)++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    target = &values[__VERIFIER_nondet_int() & 1];
    pthread_create(&thread, 0, worker, 0);
    if (values[1] == 1) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex); // VIOLATION
    }
    return 0;
}
