// EXPECT proved
#include <pthread.h>
#include <assert.h>

int data, flag, r1, r2;

void *first(void *arg) {
    data = 1;
    flag = 1;
    return 0;
}

void *second(void *arg) {
    r1 = flag;
    r2 = data;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 1 && r2 == 0));
    return 0;
}
