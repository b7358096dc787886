// EXPECT proved
#include <pthread.h>
#include <assert.h>

void *square(void *arg) {
    long value = (long)arg;
    return (void *)(value * value);
}

int main(void) {
    pthread_t t1, t2;
    void *r1, *r2;
    pthread_create(&t1, 0, square, (void *)3);
    pthread_create(&t2, 0, square, (void *)4);
    pthread_join(t1, &r1);
    pthread_join(t2, &r2);
    assert((long)r1 + (long)r2 == 25);
    return 0;
}
