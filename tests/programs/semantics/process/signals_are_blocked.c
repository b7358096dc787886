// Signals are blocked or ignored: no handler is called.
// EXPECT proved
#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    signal(SIGPIPE, SIG_IGN);
    assert(sizeof set > 0);
    return 0;
}
