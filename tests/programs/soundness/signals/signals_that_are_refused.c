// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <signal.h>

static int ignore(int number) {
    struct sigaction action = {0};
    action.sa_handler = SIG_IGN;
    return sigaction(number, &action, 0);
}

int main(void) {
    assert(ignore(SIGPIPE) == 0);
    assert(ignore(SIGKILL) == -1 && errno == EINVAL);
    assert(ignore(SIGSTOP) == -1 && errno == EINVAL);
    assert(ignore(32) == -1 && ignore(33) == -1 && ignore(65) == -1);
    assert(sigaction(SIGKILL, 0, 0) == 0);
    return 0;
}
