// Two whole assignments; no field is ever touched alone.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct pair { int a, b; } s;
const struct pair one = {1, 2}, two = {3, 4};

void *first(void *arg) {
    s = one; // RACE
    return 0;
}

void *second(void *arg) {
    s = two; // RACE
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
