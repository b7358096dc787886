// So is a memset over it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

struct { int x; pthread_mutex_t m; } g;

static void *other(void *arg) {
    pthread_mutex_lock(&g.m); // RACE
    pthread_mutex_unlock(&g.m); // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    memset(&g.m, 0, sizeof g.m); // RACE
    pthread_join(t, 0);
    return 0;
}
