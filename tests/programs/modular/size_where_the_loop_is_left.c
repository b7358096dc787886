// The loop leaves `i` at 2: the object has four elements, and every thread may write to it. A thread that was created when
// `i` was 1 knows another `i`, which has nothing to do with the size.
// EXPECT violated
// NONDET 0..0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *argument) {
    long own = (long)argument;
    pthread_mutex_lock(&m);
    int *known = p;
    pthread_mutex_unlock(&m);
    if (known) {
        known[own + 2] = 1;
        assert(own < 1); // VIOLATION
    }
    return 0;
}

int main(void) {
    pthread_t t;
    long i;
    for (i = 0; i < 2; i++)
        pthread_create(&t, 0, reader, (void *)i);
    int *made = malloc((i + 2) * sizeof(int));
    pthread_mutex_lock(&m);
    p = made;
    pthread_mutex_unlock(&m);
    return 0;
}
