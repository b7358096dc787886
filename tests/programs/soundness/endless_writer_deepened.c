// The same with a small number, which deepening finds.
// EXPECT violated
// NATIVE no it never ends
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int x;

void *writer(void *arg) {
    while (__VERIFIER_nondet_int()) x++;
    return 0;
}

void *reader(void *arg) {
    assert(x < 5); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
