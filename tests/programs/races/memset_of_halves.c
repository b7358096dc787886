// Each thread clears its own half.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <string.h>

char buffer[16];

void *first(void *arg) {
    memset(buffer, 1, 8); // NORACE
    return 0;
}

void *second(void *arg) {
    memset(buffer + 8, 2, 8); // NORACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
