// Each thread looks only at its own constant.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

_Thread_local const int limit = 3;
const int *kept[2];

void *thread(void *arg) {
    const int **own = arg;
    *own = &limit;
    return **own == 3 ? arg : 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, thread, &kept[0]);
    pthread_create(&t[1], 0, thread, &kept[1]);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
