// A counter rises as long as no thread has said that it also falls.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned value;
int rose, fell;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    unsigned old = value;
    if (__VERIFIER_nondet_int()) {
        if (old + 1 != 0) {
            rose = 1;
            value = old + 1;
            pthread_mutex_unlock(&m);
            pthread_mutex_lock(&m);
            assert(fell || value > old);
        }
    } else if (old != 0) {
        fell = 1;
        value = old - 1;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        assert(rose || value < old);
    }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}
