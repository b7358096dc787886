// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l;
int reached;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_rdlock(&l);
    reached = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(!reached); // VIOLATION
    return 0;
}
