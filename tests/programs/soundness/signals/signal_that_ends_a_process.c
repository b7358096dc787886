// EXPECT violated
// NONDET 0..1
// UNWIND 12
#include <assert.h>
#include <signal.h>

int main(void) {
    struct sigaction action = {0};
    action.sa_handler = SIG_IGN;
    for (int number = 8; number < 11; number++)
        assert(sigaction(number, &action, 0) == 0); // VIOLATION
    return 0;
}
