// Assigning an initialiser to a held mutex in an array of structures frees it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct { int x; pthread_mutex_t m; } a[2];

static void *w(void *arg) {
    pthread_mutex_lock(&a[1].m);
    a[1].x++; // RACE
    pthread_mutex_unlock(&a[1].m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&a[1].m);
    a[1].m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_create(&t, 0, w, 0);
    a[1].x++; // RACE
    pthread_join(t, 0);
    return 0;
}
