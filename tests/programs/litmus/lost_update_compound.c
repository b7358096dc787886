// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x = 1;

void *first(void *arg) {
    x += 2;
    return 0;
}

void *second(void *arg) {
    x *= 3;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 9 || x == 5); // VIOLATION
    return 0;
}
