// Main and another thread join the same thread.
// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_t t;

void *f(void *arg) {
    return 0;
}

void *g(void *arg) {
    pthread_join(t, 0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0); // VIOLATION
    return 0;
}
