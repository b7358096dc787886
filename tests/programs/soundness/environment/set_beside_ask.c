// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *argument) { return getenv("A"); } // RACE
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    setenv("B", "b", 1); // RACE
    pthread_join(other, 0);
    return 0;
}
