// EXPECT violated
#include <pthread.h>
#include <assert.h>

void *writer(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    int value = 0;
    pthread_create(&t, 0, writer, &value);
    assert(value == 0); // VIOLATION
    pthread_join(t, 0);
    return 0;
}
