// EXPECT violated
// TREES unknown byte-wise access to a pointer
#include <assert.h>
#include <pthread.h>
int x;
static void *run(void *argument) {
    unsigned char *bytes = argument;
    int *p;
    for (unsigned i = 0; i < sizeof p; i++)
        ((unsigned char *)&p)[i] = bytes[i];
    *p = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    int *p = &x;
    pthread_create(&thread, 0, run, &p);
    pthread_join(thread, 0);
    assert(x == 0); // VIOLATION
    return 0;
}
