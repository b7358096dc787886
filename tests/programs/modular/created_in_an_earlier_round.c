// In the second round the thread of the first one is running.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int x;
void *work(void *p) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        x = 0;
        assert(x == 0); // VIOLATION
        pthread_create(&t, 0, work, 0);
    }
    return 0;
}
