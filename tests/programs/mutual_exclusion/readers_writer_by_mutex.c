// Readers count themselves; the first locks the writer out.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int readers, data;
pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER, room = PTHREAD_MUTEX_INITIALIZER;

void *thread1(void *arg) {
    pthread_mutex_lock(&room);
    data = 1;
    data = 2;
    pthread_mutex_unlock(&room);
    return 0;
}

void *thread2(void *arg) {
    pthread_mutex_lock(&count);
    readers++;
    if (readers == 1) pthread_mutex_lock(&room);
    pthread_mutex_unlock(&count);
    assert(data != 1);
    pthread_mutex_lock(&count);
    readers--;
    if (readers == 0) pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&count);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
