// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdio.h>
void *say(void *unused) {
    putc_unlocked('a', stderr);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, say, 0);
    putc_unlocked('b', stdout);
    pthread_join(thread, 0);
    return 0;
}
