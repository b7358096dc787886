// The last thread has ended, the first one may be running still.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *p) {
    x = 0;
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(x == 1); // VIOLATION
    return 0;
}
