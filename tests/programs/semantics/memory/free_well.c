// PROPERTY valid-free
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    free(arg);
    return malloc(1);
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, malloc(8));
    pthread_join(t, &result);
    free(realloc(result, 3));
    return 0;
}
