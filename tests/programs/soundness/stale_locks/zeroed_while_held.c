// Writing zeros over a held mutex frees it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *w(void *arg) {
    pthread_mutex_lock(&m);
    x++; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    memset(&m, 0, sizeof m);
    pthread_create(&t, 0, w, 0);
    x++; // RACE
    pthread_join(t, 0);
    return 0;
}
