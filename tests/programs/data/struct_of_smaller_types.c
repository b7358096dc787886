// EXPECT proved
#include <pthread.h>
#include <assert.h>

struct mixed { char a; short b; unsigned char c; long d; } shared;

void *first(void *arg) {
    shared.a = -1;
    shared.d = 1L << 40;
    return 0;
}

void *second(void *arg) {
    shared.b = -2;
    shared.c = 255;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(shared.a == -1 && shared.b == -2 && shared.c == 255 && shared.d == 1L << 40);
    return 0;
}
