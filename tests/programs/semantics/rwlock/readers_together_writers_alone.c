// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    int mine = x;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, reader, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
