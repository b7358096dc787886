// An atomic section that runs into an invalid access has no effect.
// PROPERTY assert
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int *shared;
int x;
void *reader(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    *shared = 2;
    x = 0;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    shared = malloc(sizeof(int));
    pthread_create(&t, 0, reader, 0);
    free(shared);
    assert(x == 0);
    pthread_join(t, 0);
    return 0;
}
