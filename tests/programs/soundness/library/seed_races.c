// `rand_r` writes its seed.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
static unsigned seed;
static void *thread(void *argument) {
    rand_r(&seed); // RACE
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    rand_r(&seed); // RACE
    pthread_join(other, 0);
    return 0;
}
