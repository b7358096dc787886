// An atomic increment races with a plain access to the same bytes.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int hits;

void *first(void *arg) {
    __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST); // RACE
    return 0;
}

void *second(void *arg) {
    int seen = hits; // RACE
    (void)seen;
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
