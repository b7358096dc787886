// Threads and locks come from one allocating function, which is called through a pointer: the handle in the one does not touch
// the number in the other.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    long value;
} lock;

typedef struct {
    pthread_t id;
    int done;
} thread;

static void *(*allocate)(size_t) = malloc;

static void *get(size_t size) {
    void *memory = allocate(size);
    if (!memory)
        abort();
    return memory;
}

static lock *counter;

static void *run(void *unused) {
    pthread_mutex_lock(&counter->mutex);
    counter->value++;
    pthread_cond_broadcast(&counter->changed);
    pthread_mutex_unlock(&counter->mutex);
    return unused;
}

int main(void) {
    counter = get(sizeof *counter);
    counter->value = 0;
    pthread_mutex_init(&counter->mutex, 0);
    pthread_cond_init(&counter->changed, 0);
    thread *other = get(sizeof *other);
    other->done = 0;
    pthread_create(&other->id, 0, run, 0);
    pthread_mutex_lock(&counter->mutex);
    while (counter->value != 1)
        pthread_cond_wait(&counter->changed, &counter->mutex);
    pthread_mutex_unlock(&counter->mutex);
    pthread_join(other->id, 0);
    other->done = 1;
    assert(counter->value == 1 && other->done == 1);
    free(other);
    free(counter);
    return 0;
}
