// Sums and products of numbers that floating point holds exactly.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
double total;
float rate = 0.5f;

void *deposit(void *amount) {
    pthread_mutex_lock(&m);
    total += *(double *)amount;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    double first = 10.25, second = 0.75;
    pthread_t a, b;
    pthread_create(&a, 0, deposit, &first);
    pthread_create(&b, 0, deposit, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 11.0);
    assert((int)(total * rate) == 5);
    assert(total / 4 > 2.7 && total / 4 < 2.8);
    return 0;
}
