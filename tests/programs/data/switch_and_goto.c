// NONDET 0..3
// EXPECT violated
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int x;

void *worker(void *arg) {
    switch (__VERIFIER_nondet_int() & 3) {
    case 0:
        goto out;
    case 1:
        x = 1;
    case 2:
        x += 2;
        break;
    default:
        x = 9;
    }
    assert(x != 3); // VIOLATION
out:
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
