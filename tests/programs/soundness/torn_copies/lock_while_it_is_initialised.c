// A mutex is copied while another thread initialises it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_mutex_t original, copy;

static void *copier(void *arg) {
    copy = original; // RACE
    return 0;
}

static void *initialiser(void *arg) {
    pthread_mutex_init(&original, 0); // RACE
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, copier, 0);
    pthread_create(&second, 0, initialiser, 0);
    return 0;
}
