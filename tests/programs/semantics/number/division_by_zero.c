// PROPERTY no-div-by-zero
// EXPECT violated
#include <pthread.h>

int x = 1;

void *worker(void *arg) {
    x = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int mine = x;
    int result = 5 % mine; // VIOLATION
    pthread_join(t, 0);
    return result;
}
