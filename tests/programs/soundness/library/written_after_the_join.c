// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <unistd.h>
char buffer[4];
static void *thread(void *argument) {
    buffer[0] = 1;
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    pthread_join(other, 0);
    write(1, buffer, 4);
    return 0;
}
