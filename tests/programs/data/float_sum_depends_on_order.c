// Floating-point addition is not associative: which thread comes first shows in the sum.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
float sum = 1.0f;

void *adds_much(void *arg) {
    pthread_mutex_lock(&m);
    sum += 1e8f;
    pthread_mutex_unlock(&m);
    return 0;
}

void *subtracts_much(void *arg) {
    pthread_mutex_lock(&m);
    sum += -1e8f + 1.0f;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adds_much, 0);
    pthread_create(&b, 0, subtracts_much, 0);
    pthread_mutex_lock(&m);
    sum += 3.0f;
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum != 0.0f); // VIOLATION
    return 0;
}
