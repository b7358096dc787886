// PROPERTY no-data-race
// EXPECT holds
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *argument) { return getenv("A"); }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    char *value = getenv("A");
    pthread_join(other, 0);
    return value != 0 && value[0] == 'x';
}
