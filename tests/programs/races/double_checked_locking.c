// The first look at the pointer is a plain read beside the write under the lock.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int object;
int *instance;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void use(void) {
    if (!instance) { // RACE
        pthread_mutex_lock(&m);
        if (!instance) {
            object = 7;
            instance = &object; // RACE
        }
        pthread_mutex_unlock(&m);
    }
}

void *first(void *arg) {
    use();
    return 0;
}

void *second(void *arg) {
    use();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
