// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

static char shared[8] = {1};

static void *writer(void *unused) {
    shared[7] = 3; // RACE
    return unused;
}

int main(void) {
    char mine[8] = {2};
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int order = memcmp(shared, mine, 8); // RACE
    pthread_join(thread, 0);
    return order == 0;
}
