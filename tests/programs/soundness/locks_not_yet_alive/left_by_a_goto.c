// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>

int nondet_int(void);

int main(void) {
    int early = nondet_int();
    if (early == 0) {
        return 0;
    }
    {
        pthread_mutex_t m;
        pthread_mutex_init(&m, 0);
        pthread_mutex_lock(&m);
        if (nondet_int() == 1) {
            goto out;
        }
        pthread_mutex_unlock(&m);
    }
out:
    return 0;
}
