// EXPECT proved
#include <assert.h>
#include <pthread.h>
int main(void) {
    assert(pthread_self() != 0);
    assert(pthread_self() == pthread_self());
    return 0;
}
