// As joined_by_two, repaired.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

pthread_t t;

void *f(void *arg) {
    return 0;
}

void *g(void *arg) {
    pthread_join(t, 0);
    return 0;
}

int main(void) {
    pthread_t u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(u, 0);
    return 0;
}
