// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdio.h>
void *say(void *unused) {
    putchar_unlocked('a'); // RACE
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, say, 0);
    putchar_unlocked('b'); // RACE
    pthread_join(thread, 0);
    return 0;
}
