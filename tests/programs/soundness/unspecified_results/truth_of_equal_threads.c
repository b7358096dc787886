// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <pthread.h>

int main(void) {
    assert(pthread_equal(pthread_self(), pthread_self()) == 1); // VIOLATION
    return 0;
}
