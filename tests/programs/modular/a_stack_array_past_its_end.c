// The index may be as large as the array.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..3
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) {
    int own[3];
    int last = __VERIFIER_nondet_int();
    for (int i = 0; i <= last; i++) {
        if (i > 3)
            break;
        own[i] = i; // VIOLATION
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
