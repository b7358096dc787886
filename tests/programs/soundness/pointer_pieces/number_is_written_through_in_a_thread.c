// EXPECT violated
// NONDET 16777216..16777216
// NATIVE no the input would have to be guessed
// ENGINES unknown an integer of unknown provenance used as a pointer
#include <assert.h>
#include <pthread.h>
extern long __VERIFIER_nondet_long(void);
int object = 1;
static void *run(void *argument) {
    *(int *)__VERIFIER_nondet_long() = 5;
    return 0;
}
int main(void) {
    long exposed = (long)&object;
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(object == 1); // VIOLATION
    return 0;
}
