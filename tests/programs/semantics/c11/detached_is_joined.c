// Joining a detached thread fails, with thrd_error and not with a number of errno.h.
// EXPECT violated
#include <threads.h>
#include <assert.h>

int worker(void *arg) {
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, worker, 0);
    thrd_detach(t);
    int error = thrd_join(t, 0);
    assert(error == thrd_success || error == thrd_error);
    assert(error == thrd_success); // VIOLATION
    return 0;
}
