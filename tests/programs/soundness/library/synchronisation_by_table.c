// A table of functions chooses the kind of lock.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

struct operations {
    int (*initialise)(pthread_spinlock_t *, int);
    int (*lock)(pthread_spinlock_t *);
    int (*unlock)(pthread_spinlock_t *);
};

const struct operations spinning = {pthread_spin_init, pthread_spin_lock, pthread_spin_unlock};

pthread_spinlock_t lock;
int count;

void *work(void *unused) {
    spinning.lock(&lock);
    count++;
    spinning.unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    spinning.initialise(&lock, 0);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
