// Where the block is not entered, nobody holds the lock in it, whatever lies there.
// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>

int nondet_int(void);

int main(void) {
    if (nondet_int() == 1) {
        pthread_mutex_t m;
        pthread_mutex_init(&m, 0);
        pthread_mutex_lock(&m);
    }
    return 0;
}
