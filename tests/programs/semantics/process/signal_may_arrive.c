// A handler that is set up may be called at any time.
// EXPECT unknown
#include <signal.h>
#include <string.h>
#include <assert.h>

static int interrupted;
static void handler(int number) { interrupted = number; }

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    assert(sigaction(SIGINT, &action, 0) == 0);
    signal(SIGPIPE, SIG_IGN);
    assert(interrupted == 0);
    return 0;
}
