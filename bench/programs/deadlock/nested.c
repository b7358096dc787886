// Nested locks spread over functions: saving goes from the cache through the index to the log, each module with a lock of
// its own. BROKEN: one thread flushes the log, which looks things up in the cache while it holds the log.
// Repaired: the flusher looks them up before it takes the log.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
int cached = 1, indexed, logged;

void log_write(int what) {
    pthread_mutex_lock(&log_lock);
    logged += what;
    pthread_mutex_unlock(&log_lock);
}

void index_update(int what) {
    pthread_mutex_lock(&index_lock);
    indexed += what;
    log_write(what);
    pthread_mutex_unlock(&index_lock);
}

void cache_save(void) {
    pthread_mutex_lock(&cache_lock);
    cached++;
    index_update(cached);
    pthread_mutex_unlock(&cache_lock);
}

int cache_lookup(void) {
    pthread_mutex_lock(&cache_lock);
    int found = cached;
    pthread_mutex_unlock(&cache_lock);
    return found;
}

void log_flush(void) {
#ifdef BROKEN
    pthread_mutex_lock(&log_lock);
    if (cache_lookup())
        logged = 0;
    pthread_mutex_unlock(&log_lock);
#else
    int found = cache_lookup();
    pthread_mutex_lock(&log_lock);
    if (found)
        logged = 0;
    pthread_mutex_unlock(&log_lock);
#endif
}

void *saver(void *argument) {
    cache_save();
    return 0;
}

void *flusher(void *argument) {
    log_flush();
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, i == 0 ? flusher : saver, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
