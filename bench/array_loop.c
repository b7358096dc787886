// Interpreter speed: two threads, each with arrays of its own that any thread could reach; every round loads twice,
// adds, stores and branches.
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);

unsigned a[2][1024], b[2][1024];

void *work(void *argument) {
    unsigned *to = a[(long)argument], *from = b[(long)argument];
    for (int round = 0; round < 2000; round++)
        for (int i = 0; i < 1024; i++)
            to[i] = to[i] + from[i];
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long t = 0; t < 2; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (long t = 0; t < 2; t++)
        pthread_join(threads[t], 0);
    return 0;
}
