// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>
static void *thread(void *argument) {
    char text[2] = "a";
    strtok(text, ","); // RACE
    return 0;
}
int main(void) {
    pthread_t other;
    char text[2] = "b";
    pthread_create(&other, 0, thread, 0);
    strtok(text, ","); // RACE
    pthread_join(other, 0);
    return 0;
}
