// EXPECT violated
// NONDET 16777216..16777216
// NATIVE no the input would have to be guessed
// ENGINES unknown an integer of unknown provenance used as a pointer
#include <assert.h>
#include <pthread.h>
extern long __VERIFIER_nondet_long(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    long exposed = (long)&mutex;
    pthread_mutex_lock((pthread_mutex_t *)__VERIFIER_nondet_long());
    assert(0); // VIOLATION
    return 0;
}
