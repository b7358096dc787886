// What nobody writes needs no protection.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int limit = 3;

void *first(void *arg) {
    int i = limit;
    return 0;
}

void *second(void *arg) {
    if (limit > 2)
        return arg;
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    int j = limit;
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
