// A block operation touches all its bytes.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

char a[8], b[8];

void *worker(void *arg) {
    b[7] = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    memcpy(a, b, 8); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
