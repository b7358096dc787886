// Nothing happens after exit.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

#include <stdlib.h>

int x, y;

void *ending(void *arg) {
    x = 1;
    exit(0);
}

void *watching(void *arg) {
    y = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, ending, 0);
    pthread_create(&t2, 0, watching, 0);
    pthread_join(t1, 0);
    assert(0);
    return 0;
}
