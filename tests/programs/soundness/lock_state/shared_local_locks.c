// Local locks with initialisers, shared with a thread.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

struct box {
    pthread_mutex_t m;
    pthread_spinlock_t s;
    int x;
};

static void *other(void *arg) {
    struct box *box = arg;
    pthread_mutex_lock(&box->m);
    int x = box->x;
    box->x = x + 1;
    pthread_mutex_unlock(&box->m);
    return 0;
}

int main(void) {
    pthread_t t;
    struct box box = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
    pthread_create(&t, 0, other, &box);
    pthread_mutex_lock(&box.m);
    int x = box.x;
    box.x = x + 1;
    pthread_mutex_unlock(&box.m);
    pthread_join(t, 0);
    assert(box.x == 2);
    return 0;
}
