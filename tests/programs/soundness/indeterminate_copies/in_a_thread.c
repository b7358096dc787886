// Copied by another thread.
// PROPERTY assert
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

unsigned char shared[4];

static void *copy(void *unused) {
    int number;
    memcpy(shared, &number, sizeof number);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, copy, NULL);
    pthread_join(thread, NULL);
    assert(shared[2] == 0); // VIOLATION
    return 0;
}
