// A function pointer may not be set yet.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

void hello(void) {}
void (*shared)(void);
void *setter(void *arg) {
    shared = hello;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, setter, 0);
    void (*f)(void) = shared;
    f(); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
