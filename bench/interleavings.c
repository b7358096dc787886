// Explorer speed: three threads that take turns with a lock and count without one.
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);

pthread_mutex_t lock;
int guarded;
_Atomic int counters[3], total;

void *work(void *argument) {
    long self = (long)argument;
    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&lock);
        guarded++;
        pthread_mutex_unlock(&lock);
        counters[self] = total;
        total++;
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long t = 0; t < 3; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (long t = 0; t < 3; t++)
        pthread_join(threads[t], 0);
    return 0;
}
