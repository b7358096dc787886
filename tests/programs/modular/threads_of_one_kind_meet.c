// Two threads that are created by one statement meet at one variable.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *p) {
    int seen = x;
    x = seen + 1;
    assert(x == seen + 1); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
