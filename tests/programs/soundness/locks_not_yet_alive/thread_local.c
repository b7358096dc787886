// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>

int nondet_int(void);

_Thread_local pthread_mutex_t m;

int main(void) { // VIOLATION
    if (nondet_int() != 1) {
        return 0;
    }
    pthread_mutex_lock(&m);
    return 0;
}
