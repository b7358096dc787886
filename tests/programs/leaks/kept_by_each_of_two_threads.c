// As in `kept_by_one_thread.c`, but there are two of them.
// PROPERTY valid-memtrack
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
int *_Atomic kept;

void *maker(void *unused) {
    kept = malloc(4); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, maker, 0);
    pthread_create(&u, 0, maker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
