// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

struct job { int input, output; };

static void *work(void *data)
{
    struct job *job = data;
    job->output = job->input;
    return 0;
}

static int run(struct job job)
{
    pthread_t worker;
    pthread_create(&worker, 0, work, &job);
    pthread_join(worker, 0);
    return job.output;
}

int main(void)
{
    struct job job = {1, 0};
    return run(job) + run(job);
}
