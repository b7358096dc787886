// PROPERTY no-data-race
// EXPECT holds
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_t thread;
    int mine;
};

void *worker(void *arg) {
    struct job *job = arg;
    job->mine = pthread_equal(job->thread, pthread_self());
    return 0;
}

int main(void) {
    struct job *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    pthread_create(&first->thread, 0, worker, first);
    pthread_create(&second->thread, 0, worker, second);
    pthread_join(first->thread, 0);
    pthread_join(second->thread, 0);
    return first->mine + second->mine;
}
