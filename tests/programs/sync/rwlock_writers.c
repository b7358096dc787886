// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *first(void *arg) {
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}

void *second(void *arg) {
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2);
    return 0;
}
