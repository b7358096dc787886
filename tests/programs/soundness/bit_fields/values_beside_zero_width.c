// Writing a bit-field does not write back what lies behind one of width zero.
// PROPERTY assert
// EXPECT proved
#include <assert.h>
#include <pthread.h>

struct { unsigned a : 17; unsigned char : 0; unsigned char b : 3; } shared;

static void *other(void *unused) {
    shared.a = 70000;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    shared.b = 2;
    pthread_join(thread, NULL);
    assert(shared.a == 70000 && shared.b == 2);
    return 0;
}
