// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_spinlock_t l;
int x;

void *first(void *arg) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return 0;
}

void *second(void *arg) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2);
    return 0;
}
