// A structure is passed to each thread, filled in there and read after the join.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

struct job {
    short left;
    unsigned char right;
    long long product;
    struct {
        int id;
        char name[4];
    } inner;
};

struct job results[2];
int finished;

static struct job compute(struct job job) {
    job.product = (long long)job.left * job.right;
    job.inner.name[0] = (char)('a' + job.inner.id);
    return job;
}

void *work(void *arg) {
    struct job *job = arg;
    *job = compute(*job);
    SHAKE();
    results[finished] = *job;
    SHAKE();
    finished = finished + 1;
    return job;
}

int main(void) {
    pthread_t threads[2];
    struct job jobs[2] = {{.left = -300, .right = 250, .inner = {.id = 0}}, {7, 6, 0, {1, "xy"}}};
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, work, &jobs[i]);
    }
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        struct job *job = result;
        printf("%lld %s ", job->product, job->inner.name);
    }
    printf("%d %d\n", finished, results[0].inner.id);
    return 0;
}
