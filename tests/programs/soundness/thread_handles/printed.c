// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int x;
static void *run(void *unused) {
    printf("%lu %d\n", (unsigned long)pthread_self(), (int)pthread_self());
    x = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(x == 1);
    return 0;
}
