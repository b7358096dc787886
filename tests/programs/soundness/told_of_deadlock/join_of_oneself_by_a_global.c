// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_t own;

static void *run(void *arg) {
    void *result = arg;
    pthread_join(own, &result);
    assert(0); // VIOLATION
    return result;
}

int main(void) {
    pthread_create(&own, 0, run, 0);
    pthread_join(own, 0);
    return 0;
}
