// The argument arrives, and what the thread function returns or gives to pthread_exit comes out of the join.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

void *returns(void *arg) { return (char *)arg + 1; }

void deep(void *arg) { pthread_exit((char *)arg + 2); }

void *exits(void *arg) {
    deep(arg);
    assert(0);
    return 0;
}

char text[4];

int main(void) {
    pthread_t t1, t2;
    void *r1, *r2;
    assert(pthread_create(&t1, 0, returns, text) == 0);
    assert(pthread_create(&t2, 0, exits, text) == 0);
    assert(pthread_join(t1, &r1) == 0);
    assert(pthread_join(t2, &r2) == 0);
    assert(r1 == text + 1 && r2 == text + 2);
    return 0;
}
