// PROPERTY no-deadlock
// EXPECT violated
// NONDET 0..1

// `free(q)` of a pointer that may be null ends no object: the lock in it may still be held.
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);

struct Guarded {
    pthread_mutex_t lock;
    int value;
};

pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *keep(void *argument) {
    struct Guarded *guarded = argument;
    pthread_mutex_lock(&guarded->lock);
    struct Guarded *nothing = nondet_int() > 0 ? guarded : NULL;
    if (nothing == NULL)
        free(nothing);
    pthread_mutex_lock(&other); // VIOLATION
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&guarded->lock);
    return NULL;
}

static void *reverse(void *argument) {
    struct Guarded *guarded = argument;
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&guarded->lock); // VIOLATION
    pthread_mutex_unlock(&guarded->lock);
    pthread_mutex_unlock(&other);
    return NULL;
}

int main(void) {
    struct Guarded *guarded = calloc(1, sizeof *guarded);
    pthread_t first, second;
    pthread_create(&first, NULL, keep, guarded);
    pthread_create(&second, NULL, reverse, guarded);
    pthread_join(first, NULL); // VIOLATION
    pthread_join(second, NULL);
    return 0;
}
