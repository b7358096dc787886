// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdio.h>

static void *say(void *unused) {
    putc_unlocked('a', stderr); // RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, say, 0);
    perror("b"); // RACE
    pthread_join(thread, 0);
    return 0;
}
