// Floating-point numbers that no other thread can change, and a lost update that does not depend on them.
#include <assert.h>
#include <pthread.h>

int count, total;
#ifdef SHARED
double share = 1.0;
#endif

double mean(const int *numbers, int length)
{
    double sum = 0;
    for (int i = 0; i < length; i++)
        sum += numbers[i];
    return sum / length;
}

void *worker(void *unused)
{
    int numbers[4] = {1, 2, 3, 5};
    double found = mean(numbers, 4) * 2;
    if (found > 5.0) {
        total += (int)found;
#ifdef SHARED
        share = share / 2;
#endif
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef BROKEN
    assert(total == 10);
#else
    assert(total >= 5);
#endif
    return 0;
}
