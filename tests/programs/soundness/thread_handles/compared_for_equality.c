// EXPECT proved
#include <assert.h>
#include <pthread.h>
pthread_t first, second;
int same;
static void *run(void *unused) {
    same = pthread_equal(pthread_self(), first);
    return 0;
}
int main(void) {
    pthread_create(&first, 0, run, 0);
    pthread_join(first, 0);
    assert(same);
    assert(!pthread_equal(first, pthread_self()));
    return 0;
}
