// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>

int nondet_int(void);

int main(void) {
    if (nondet_int() != 1) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&m);
        if (i == 1) {
            continue;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}
