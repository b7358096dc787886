// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

struct job { int input, output; };

static pthread_t worker;

static void *work(void *data)
{
    struct job *job = data;
    job->output = job->input; // RACE
    return 0;
}

static void start(struct job job)
{
    pthread_create(&worker, 0, work, &job);
} // RACE

int main(void)
{
    struct job job = {1, 0};
    start(job);
    pthread_join(worker, 0);
    return 0;
}
