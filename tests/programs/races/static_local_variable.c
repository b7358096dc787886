// A static variable of a function is shared.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int next(void) {
    static int last;
    return ++last; // RACE
}

void *first(void *arg) {
    next();
    return 0;
}

void *second(void *arg) {
    next();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
