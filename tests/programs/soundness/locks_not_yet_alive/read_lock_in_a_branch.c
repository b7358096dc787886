// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>

int nondet_int(void);

int main(void) {
    if (nondet_int() == 1) {
        pthread_rwlock_t l;
        pthread_rwlock_init(&l, 0);
        pthread_rwlock_rdlock(&l);
    }
    return 0;
}
