// The thread posts and then looks at a copy of the semaphore in a local array.
// EXPECT unknown
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

sem_t posted;

void *work(void *unused) {
    int words[sizeof(sem_t) / sizeof(int)];
    sem_post(&posted);
    memcpy(words, &posted, sizeof posted);
    assert(words[0] == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&posted, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
