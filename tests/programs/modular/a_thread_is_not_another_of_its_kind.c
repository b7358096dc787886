// A thread compares itself with another one made by the same statement.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
pthread_t last;
int set;
void *work(void *p) {
    if (set) assert(pthread_equal(last, pthread_self())); // VIOLATION
    last = pthread_self();
    set = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
