// EXPECT violated
#include <signal.h>
#include <assert.h>

static int interrupted;
static void handler(int number) { interrupted = number; }

int main(void) {
    signal(SIGINT, handler);
    handler(SIGINT);
    assert(interrupted == 0); // VIOLATION
    return 0;
}
