// What a thread wrote before it created another one is ordered; what it writes afterwards is not.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int before, after;

void *second(void *arg) {
    before++; // NORACE
    after++; // RACE
    return 0;
}

void *first(void *arg) {
    pthread_t t;
    before = 1; // NORACE
    pthread_create(&t, 0, second, 0);
    after = 1; // RACE
    pthread_join(t, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_join(t, 0);
    return 0;
}
