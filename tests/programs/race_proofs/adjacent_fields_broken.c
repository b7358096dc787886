// One thread clears the whole structure.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

struct pair {
    char a, b;
} s;

void *first(void *arg) {
    s.a = 1; // VIOLATION
    return 0;
}

void *second(void *arg) {
    memset(&s, 0, sizeof s); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
