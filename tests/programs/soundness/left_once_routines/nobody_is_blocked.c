// PROPERTY no-deadlock
// EXPECT unknown
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;
int runs;

static void routine(void) {
    if (++runs == 1) {
        thrd_exit(0);
    }
}

static int run(void *arg) {
    call_once(&flag, routine);
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, run, 0);
    thrd_join(t, 0);
    call_once(&flag, routine);
    return 0;
}
