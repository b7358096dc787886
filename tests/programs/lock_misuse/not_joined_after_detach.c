// As joined_after_detach, repaired.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

void *f(void *arg) {
    pthread_detach(pthread_self());
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    return 0;
}
