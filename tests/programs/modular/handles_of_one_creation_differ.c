// Two threads made by one statement have handles of their own.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
pthread_t first;
void *work(void *p) { return 0; }
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, work, 0);
        if (i == 0) first = t;
    }
    assert(pthread_equal(first, t)); // VIOLATION
    return 0;
}
