// The section fails, but has touched nothing that others touch before.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, numbers[4];

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
    y = 2;
    numbers[32] = 2;
    x = 2;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    x = 1;
    pthread_join(thread, 0);
    return 0;
}
