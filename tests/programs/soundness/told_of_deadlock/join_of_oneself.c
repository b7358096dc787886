// EXPECT violated
#include <assert.h>
#include <pthread.h>

int main(void) {
    assert(pthread_join(pthread_self(), 0) == 0); // VIOLATION
    return 0;
}
