// A handle that was a pointer in between, moved there and back, is still that of the thread that is joined twice: the
// second join does not wait.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_t first;

static void *writer(void *arg) {
    x = 1; // RACE
    return 0;
}

static void *joiner(void *arg) {
    char *p = (char *)first;
    p = p + 1;
    p = p - 1;
    pthread_join((pthread_t)p, 0);
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&h, 0, joiner, 0);
    if (pthread_join(first, 0) != 0)
        x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
