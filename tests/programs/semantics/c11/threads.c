// EXPECT proved
#include <threads.h>
#include <assert.h>

mtx_t m;
int x;

int worker(void *arg) {
    assert(mtx_lock(&m) == thrd_success);
    x++;
    assert(mtx_unlock(&m) == thrd_success);
    return *(int *)arg;
}

int leaves(void *arg) { thrd_exit(9); }

int main(void) {
    thrd_t t1, t2;
    int seven = 7, r1, r2;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    assert(thrd_create(&t1, worker, &seven) == thrd_success);
    assert(thrd_create(&t2, leaves, 0) == thrd_success);
    worker(&seven);
    assert(!thrd_equal(t1, thrd_current()));
    assert(thrd_join(t1, &r1) == thrd_success);
    assert(thrd_join(t2, &r2) == thrd_success);
    assert(r1 == 7 && r2 == 9 && x == 2);
    mtx_destroy(&m);
    return 0;
}
