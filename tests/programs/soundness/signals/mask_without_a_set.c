// Without a set nothing is to be done, whatever is to be done with it.
// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    assert(sigprocmask(99, 0, 0) == 0);
    assert(pthread_sigmask(-1, 0, 0) == 0);
    assert(pthread_sigmask(-1, &set, 0) == EINVAL);
    assert(sigprocmask(3, &set, 0) == -1 && errno == EINVAL);
    return 0;
}
