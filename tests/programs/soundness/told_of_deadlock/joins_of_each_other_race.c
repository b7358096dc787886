// A join that is refused waits for nobody.
// PROPERTY no-data-race
// EXPECT violated
// ENGINES unknown what threads do that join each other is not followed
#include <pthread.h>

pthread_t creator;
int x;

static void *worker(void *arg) {
    x = 1; // RACE
    pthread_join(creator, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    creator = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x = 2; // RACE
    return 0;
}
