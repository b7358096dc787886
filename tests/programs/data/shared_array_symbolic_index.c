// NONDET 0..3
// EXPECT violated
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int cells[4];
int where;

void *writer(void *arg) {
    cells[where & 3] = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    where = __VERIFIER_nondet_int() & 3;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(cells[2] == 0); // VIOLATION
    return 0;
}
