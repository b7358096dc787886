// Handlers run in reverse, by pthread_cleanup_pop(1) and by pthread_exit from any depth.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int order;

void release(void *mutex) {
    assert(order == 2);
    order = 3;
    pthread_mutex_unlock(mutex);
}

void note(void *step) {
    order = order * 2 + *(int *)step;
}

void leave(void) {
    pthread_exit(0);
}

void *work(void *unused) {
    int zero = 0, one = 1;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    pthread_cleanup_push(note, &one);
    pthread_cleanup_pop(1);
    pthread_cleanup_push(note, &zero);
    leave();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&lock);
    assert(order == 3);
    pthread_mutex_unlock(&lock);
    return 0;
}
