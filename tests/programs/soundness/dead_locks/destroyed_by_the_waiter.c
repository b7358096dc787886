// Whoever has waited for the last signal destroys the condition and the mutex: nobody holds it who could lose it by that.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

struct request {
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    int answer;
};

static void *answer(void *argument) {
    struct request *request = argument;
    pthread_mutex_lock(&request->mutex);
    request->answer = 1;
    pthread_cond_signal(&request->answered);
    pthread_mutex_unlock(&request->mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct request *request = malloc(sizeof *request);
    pthread_mutex_init(&request->mutex, 0);
    pthread_cond_init(&request->answered, 0);
    request->answer = 0;
    pthread_create(&thread, 0, answer, request);
    pthread_mutex_lock(&request->mutex);
    while (!request->answer)
        pthread_cond_wait(&request->answered, &request->mutex);
    pthread_mutex_unlock(&request->mutex);
    pthread_cond_destroy(&request->answered);
    pthread_mutex_destroy(&request->mutex);
    pthread_join(thread, 0);
    free(request);
    return 0;
}
