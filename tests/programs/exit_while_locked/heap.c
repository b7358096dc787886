// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t *m;

int main(void) { // VIOLATION
    m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    return 0;
}
