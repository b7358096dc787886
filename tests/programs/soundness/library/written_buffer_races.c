// What `write` reads conflicts with a store of another thread.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <unistd.h>
char buffer[4];
static void *thread(void *argument) {
    buffer[0] = 1; // RACE
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    write(1, buffer, 4); // RACE
    pthread_join(other, 0);
    return 0;
}
