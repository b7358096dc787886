// A string and its length are changed in two critical sections; a reader comes in between. With FIXED the writer says
// when it is done, and the reader waits for that.
#include <pthread.h>
#include <semaphore.h>

#ifndef ROUNDS
#define ROUNDS 6
#endif

int text[ROUNDS], length, copies[ROUNDS];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t done;

void gordian_atomic_begin(void) {}
void gordian_atomic_end(void) {}

void *writer(void *unused)
{
    gordian_atomic_begin();
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        text[i] = i;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        length = i + 1;
        pthread_mutex_unlock(&lock);
    }
    gordian_atomic_end();
#ifdef FIXED
    sem_post(&done);
#endif
    return 0;
}

void *reader(void *unused)
{
#ifdef FIXED
    sem_wait(&done);
#endif
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        copies[i] = length;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
