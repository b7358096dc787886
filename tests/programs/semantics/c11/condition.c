// EXPECT holds
// OPTION no-spurious-wakeups
// UNWIND 3
#include <threads.h>
#include <assert.h>
#include <time.h>

mtx_t m;
cnd_t c, never;
int ready;

int worker(void *arg) {
    mtx_lock(&m);
    ready = 1;
    assert(cnd_signal(&c) == thrd_success);
    assert(cnd_broadcast(&c) == thrd_success);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t;
    struct timespec soon = {0, 0};
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    cnd_init(&never);
    thrd_create(&t, worker, 0);
    mtx_lock(&m);
    while (!ready) assert(cnd_wait(&c, &m) == thrd_success);
    assert(cnd_timedwait(&never, &m, &soon) == thrd_timedout);
    mtx_unlock(&m);
    thrd_join(t, 0);
    cnd_destroy(&c);
    return 0;
}
