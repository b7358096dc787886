// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec deadline;
static void *thread(void *argument) {
    deadline.tv_sec = 5; // RACE
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    pthread_mutex_timedlock(&mutex, &deadline); // RACE
    pthread_join(other, 0);
    return 0;
}
