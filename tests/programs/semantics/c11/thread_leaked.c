// PROPERTY no-thread-leak
// EXPECT violated
#include <threads.h>

int worker(void *arg) { return 0; }

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, worker, 0);
    thrd_create(&t2, worker, 0); // VIOLATION
    thrd_detach(t1);
    thrd_yield();
    return 0;
}
