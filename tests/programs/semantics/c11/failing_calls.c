// C11's functions say thrd_error, thrd_busy and thrd_timedout, no error numbers; an unknown key has no value.
// EXPECT proved
#include <threads.h>
#include <time.h>
#include <assert.h>

int worker(void *arg) {
    return 7;
}

int main(void) {
    thrd_t t;
    mtx_t m;
    struct timespec soon = {0, 0};
    int result;
    tss_t key;
    assert(tss_create(&key, 0) == thrd_success);
    assert(tss_set(key, &m) == thrd_success && tss_get(key) == &m);
    tss_delete(key);
    assert(tss_set(key, &m) == thrd_error && tss_get(key) == 0);
    assert(thrd_create(&t, worker, 0) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success && result == 7);
    assert(thrd_create(&t, worker, 0) == thrd_success);
    assert(thrd_detach(t) == thrd_success);
    assert(mtx_init(&m, mtx_timed) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_trylock(&m) == thrd_busy);
    assert(mtx_timedlock(&m, &soon) == thrd_timedout);
    assert(mtx_unlock(&m) == thrd_success);
    return 0;
}
