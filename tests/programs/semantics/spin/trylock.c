// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_spinlock_t s;

int main(void) {
    assert(pthread_spin_init(&s, 0) == 0);
    assert(pthread_spin_trylock(&s) == 0);
    assert(pthread_spin_trylock(&s) == EBUSY);
    assert(pthread_spin_unlock(&s) == 0);
    assert(pthread_spin_lock(&s) == 0);
    assert(pthread_spin_unlock(&s) == 0);
    assert(pthread_spin_destroy(&s) == 0);
    return 0;
}
