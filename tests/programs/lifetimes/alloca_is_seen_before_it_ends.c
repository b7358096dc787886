// Between the last statement and the end of the function others can still look.
// PROPERTY assert
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int *shared;
int seen;
void *worker(void *arg) {
    int *p = __builtin_alloca(sizeof(int));
    *p = 7;
    shared = p;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int *p = shared;
    if (p)
        seen = *p;
    assert(seen != 7); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
