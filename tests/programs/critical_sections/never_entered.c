// The sections of the second thread are never entered, which shows only in the bits of the condition.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

extern unsigned __VERIFIER_nondet_uint(void);

void *writer(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *stranger(void *arg) {
    unsigned input = __VERIFIER_nondet_uint();
    if (input * input == 2u) {
        pthread_mutex_lock(&m);
        x = 2;
        if (y) {
            y = 5;
            pthread_mutex_unlock(&m);
        } else {
            pthread_mutex_unlock(&m);
        }
        pthread_mutex_lock(&m);
        y = 3;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, stranger, 0);
    pthread_mutex_lock(&m);
    assert(x == y);
    pthread_mutex_unlock(&m);
    return 0;
}
