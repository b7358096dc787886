// The creator returns and its local variable ends while the thread still uses it.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}

pthread_t start(void) {
    pthread_t t;
    int mine = 0;
    pthread_create(&t, 0, worker, &mine);
    return t;
}

int main(void) {
    pthread_join(start(), 0);
    return 0;
}
