// The lock of the stream does not help against somebody who does not take it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdio.h>

static void *say(void *unused) {
    putchar_unlocked('a'); // RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, say, 0);
    fputc(98, stdout); // RACE
    pthread_join(thread, 0);
    return 0;
}
