// Neighbouring fields are separate locations.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

struct pair { int left; int right; } shared;

void *first(void *arg) {
    shared.left = 1;
    return 0;
}

void *second(void *arg) {
    shared.right = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(shared.left == 1 && shared.right == 2);
    return 0;
}
