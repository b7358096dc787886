// A lock in a local of main ends where main returns, and lives where main calls exit.
// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);

int main(void) {
    if (nondet_int() != 1) {
        return 0;
    }
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    if (nondet_int() == 1) {
        return 1;
    }
    exit(0); // VIOLATION
}
