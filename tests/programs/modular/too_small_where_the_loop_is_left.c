// The loop counts down to 0, so that the object has one element only. To a thread that was created when `i` was 2 it would
// have three, if the size were a matter of `i`.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..0
#include <pthread.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *argument) {
    long own = (long)argument;
    pthread_mutex_lock(&m);
    int *known = p;
    pthread_mutex_unlock(&m);
    if (known)
        known[own] = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    long i;
    for (i = 2; i > 0; i--)
        pthread_create(&t, 0, reader, (void *)i);
    int *made = malloc((i + 1) * sizeof(int));
    pthread_mutex_lock(&m);
    p = made;
    pthread_mutex_unlock(&m);
    return 0;
}
