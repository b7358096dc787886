// The copy reads the lock that the other thread takes twice. Nothing else contends for it, so that both of its sections
// certainly run.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_mutex_t lock, copy;

void *user(void *arg) {
    pthread_mutex_lock(&lock);   // RACE
    pthread_mutex_unlock(&lock); // RACE
    pthread_mutex_lock(&lock);   // RACE
    pthread_mutex_unlock(&lock); // RACE
    return 0;
}

void *copier(void *arg) {
    copy = lock; // RACE
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, copier, 0);
    pthread_create(&second, 0, user, 0);
    return 0;
}
