// EXPECT proved
#include <threads.h>
#include <assert.h>
#include <time.h>

mtx_t m, r;

int main(void) {
    struct timespec soon = {0, 0};
    mtx_init(&m, mtx_timed);
    mtx_init(&r, mtx_plain | mtx_recursive);
    assert(mtx_trylock(&m) == thrd_success);
    assert(mtx_trylock(&m) == thrd_busy);
    assert(mtx_timedlock(&m, &soon) == thrd_timedout);
    assert(mtx_lock(&r) == thrd_success);
    assert(mtx_lock(&r) == thrd_success);
    mtx_unlock(&r);
    mtx_unlock(&r);
    mtx_unlock(&m);
    return 0;
}
