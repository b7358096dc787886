// A thread pool with futures: jobs go into a queue, workers take them, whoever submitted a job waits for its future.
//
// The bug: with BROKEN (the default; -D BROKEN=0 repairs it) a worker says that a future is done before it has stored the
// value. Whoever waits may read the value too early. Hardly any run shows it: the worker needs a moment only.
//
// Usage: thread_pool [WORKERS [JOBS]]
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BROKEN
#define BROKEN 1
#endif

#define MAX_WORKERS 8

// ---------------------------------------------------------------------------------------------------------------------
// Futures

enum future_state { FUTURE_PENDING, FUTURE_DONE, FUTURE_FAILED };

struct future {
    pthread_mutex_t lock;
    pthread_cond_t settled;
    enum future_state state;
    long value;
    int error;
    int references;
};

static struct future *future_new(void)
{
    struct future *future = malloc(sizeof *future);
    if (!future)
        return NULL;
    pthread_mutex_init(&future->lock, NULL);
    pthread_cond_init(&future->settled, NULL);
    future->state = FUTURE_PENDING;
    future->value = 0;
    future->error = 0;
    // One for the submitter, one for the worker.
    future->references = 2;
    return future;
}

static void future_release(struct future *future)
{
    pthread_mutex_lock(&future->lock);
    int left = --future->references;
    pthread_mutex_unlock(&future->lock);
    if (left == 0) {
        pthread_mutex_destroy(&future->lock);
        pthread_cond_destroy(&future->settled);
        free(future);
    }
}

static void future_complete(struct future *future, long value)
{
#if BROKEN
    pthread_mutex_lock(&future->lock);
    future->state = FUTURE_DONE;
    pthread_cond_broadcast(&future->settled);
    pthread_mutex_unlock(&future->lock);
    future->value = value;
#else
    pthread_mutex_lock(&future->lock);
    future->value = value;
    future->state = FUTURE_DONE;
    pthread_cond_broadcast(&future->settled);
    pthread_mutex_unlock(&future->lock);
#endif
}

static void future_fail(struct future *future, int error)
{
    pthread_mutex_lock(&future->lock);
    future->error = error;
    future->state = FUTURE_FAILED;
    pthread_cond_broadcast(&future->settled);
    pthread_mutex_unlock(&future->lock);
}

// Waits until the future is settled; returns an error code, 0 if there is a value.
static int future_get(struct future *future, long *value)
{
    int error = 0;
    pthread_mutex_lock(&future->lock);
    while (future->state == FUTURE_PENDING)
        pthread_cond_wait(&future->settled, &future->lock);
    if (future->state == FUTURE_FAILED)
        error = future->error;
    else
        *value = future->value;
    pthread_mutex_unlock(&future->lock);
    return error;
}

// ---------------------------------------------------------------------------------------------------------------------
// The pool

typedef int (*job_function)(long argument, long *result);

struct job {
    job_function function;
    long argument;
    struct future *future;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    struct job *first;
    struct job **last;
    int queued;
    int closing;
    long finished;
    int worker_count;
    pthread_t workers[MAX_WORKERS];
};

static void pool_run(struct job *job)
{
    long result = 0;
    int error = job->function(job->argument, &result);
    if (error)
        future_fail(job->future, error);
    else
        future_complete(job->future, result);
    future_release(job->future);
}

static struct job *pool_take(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (!pool->first && !pool->closing)
        pthread_cond_wait(&pool->not_empty, &pool->lock);
    struct job *job = pool->first;
    if (job) {
        pool->first = job->next;
        if (!pool->first)
            pool->last = &pool->first;
        pool->queued--;
    }
    pthread_mutex_unlock(&pool->lock);
    return job;
}

static void *pool_worker(void *argument)
{
    struct pool *pool = argument;
    long done = 0;
    for (;;) {
        struct job *job = pool_take(pool);
        if (!job)
            break;
        pool_run(job);
        free(job);
        done++;
    }
    pthread_mutex_lock(&pool->lock);
    pool->finished += done;
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static int pool_start(struct pool *pool, int workers)
{
    memset(pool, 0, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->not_empty, NULL);
    pool->last = &pool->first;
    pool->worker_count = workers;
    for (int i = 0; i < workers; i++) {
        int error = pthread_create(&pool->workers[i], NULL, pool_worker, pool);
        if (error)
            return error;
    }
    return 0;
}

static struct future *pool_submit(struct pool *pool, job_function function, long argument)
{
    struct job *job = malloc(sizeof *job);
    struct future *future = future_new();
    if (!job || !future) {
        free(job);
        free(future);
        return NULL;
    }
    job->function = function;
    job->argument = argument;
    job->future = future;
    job->next = NULL;
    pthread_mutex_lock(&pool->lock);
    *pool->last = job;
    pool->last = &job->next;
    pool->queued++;
    pthread_cond_signal(&pool->not_empty);
    pthread_mutex_unlock(&pool->lock);
    return future;
}

// Lets the workers finish what is queued, and waits for them.
static void pool_stop(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = 1;
    pthread_cond_broadcast(&pool->not_empty);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->worker_count; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->not_empty);
}

// ---------------------------------------------------------------------------------------------------------------------
// Jobs

// The number of steps of the Collatz sequence.
static int collatz(long argument, long *result)
{
    long steps = 0;
    if (argument <= 0)
        return EDOM;
    while (argument != 1) {
        argument = argument % 2 ? 3 * argument + 1 : argument / 2;
        steps++;
    }
    *result = steps;
    return 0;
}

// The number of divisors.
static int divisors(long argument, long *result)
{
    long count = 0;
    if (argument <= 0)
        return EDOM;
    for (long d = 1; d * d <= argument; d++)
        if (argument % d == 0)
            count += d * d == argument ? 1 : 2;
    *result = count;
    return 0;
}

static job_function job_of(int number) { return number % 2 ? divisors : collatz; }
static long argument_of(int number) { return number % 5 == 4 ? -number : number + 2; }

static int by_value(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

static void print_results(const long *results, int count, int failed)
{
    long *sorted = malloc(sizeof *sorted * (size_t)(count + 1));
    if (!sorted)
        return;
    memcpy(sorted, results, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    printf("%d results, %d failures; from %ld to %ld\n", count, failed, count ? sorted[0] : 0L,
           count ? sorted[count - 1] : 0L);
    free(sorted);
}

static int number_argument(int count, char **arguments, int index, int otherwise, int most)
{
    if (index >= count)
        return otherwise;
    char *end;
    long number = strtol(arguments[index], &end, 10);
    if (*end != '\0' || number < 1 || number > most) {
        printf("%s is not a number from 1 to %d\n", arguments[index], most);
        exit(2);
    }
    return (int)number;
}

int main(int argc, char **argv)
{
    int workers = number_argument(argc, argv, 1, 2, MAX_WORKERS);
    int jobs = number_argument(argc, argv, 2, 3, 1000);
    struct future **futures = calloc((size_t)jobs, sizeof *futures);
    long *results = calloc((size_t)jobs, sizeof *results);
    static struct pool pool;
    if (!futures || !results || pool_start(&pool, workers) != 0)
        return 1;
    for (int i = 0; i < jobs; i++) {
        futures[i] = pool_submit(&pool, job_of(i), argument_of(i));
        if (!futures[i])
            return 1;
    }
    int good = 0, failed = 0;
    for (int i = 0; i < jobs; i++) {
        long value = 0;
        if (future_get(futures[i], &value) == 0) {
            // Every job that succeeds has a positive result.
            assert(value > 0);
            results[good++] = value;
        } else {
            failed++;
        }
        future_release(futures[i]);
    }
    pool_stop(&pool);
    assert(pool.finished == jobs);
    print_results(results, good, failed);
    free(results);
    free(futures);
    return 0;
}
