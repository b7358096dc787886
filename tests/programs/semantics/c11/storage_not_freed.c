// A key without a destructor frees nothing.
// PROPERTY valid-memcleanup
// EXPECT violated
#include <threads.h>
#include <stdlib.h>

tss_t k;

int worker(void *arg) {
    tss_set(k, malloc(4)); // VIOLATION
    return 0;
}

int main(void) {
    thrd_t t;
    tss_create(&k, 0);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    return 0; // VIOLATION
}
