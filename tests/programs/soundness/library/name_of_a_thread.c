// A name has at most 15 characters.
// EXPECT proved
// NONDET 0..2
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int pthread_setname_np(pthread_t thread, const char *name);

int main(void) {
    assert(pthread_setname_np(pthread_self(), "123456789012345") != ERANGE);
    assert(pthread_setname_np(pthread_self(), "1234567890123456") == ERANGE);
    return 0;
}
