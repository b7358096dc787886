// As early_return_keeps_the_lock, with an unlock on both ways.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

int update(void) {
    pthread_mutex_lock(&m);
    if (x == 1) {
        pthread_mutex_unlock(&m);
        return 1;
    }
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

void *f(void *arg) {
    update();
    return 0;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_create(&v, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    return 0;
}
