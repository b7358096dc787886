// A vector that two threads append to grows as it needs to.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
    int *elements;
    unsigned count, capacity;
    pthread_mutex_t lock;
} vector = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void append(int value) {
    pthread_mutex_lock(&vector.lock);
    if (vector.count == vector.capacity) {
        vector.capacity = vector.capacity + 1;
        vector.elements = realloc(vector.elements, vector.capacity * sizeof *vector.elements);
    }
    vector.elements[vector.count] = value;
    vector.count = vector.count + 1;
    pthread_mutex_unlock(&vector.lock);
}

static void *run(void *unused) {
    append(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    append(2);
    pthread_join(thread, 0);
    assert(vector.count == 2);
    assert(vector.elements[0] + vector.elements[1] == 3);
    free(vector.elements);
    return 0;
}
