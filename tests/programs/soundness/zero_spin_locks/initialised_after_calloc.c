// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

static void *other(void *arg) {
    pthread_spinlock_t *s = arg;
    pthread_spin_lock(s);
    pthread_spin_unlock(s);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spinlock_t *s = calloc(1, sizeof *s);
    pthread_spin_init(s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, other, (void *)s);
    pthread_spin_lock(s);
    pthread_spin_unlock(s);
    pthread_join(t, 0);
    pthread_spin_destroy(s);
    free((void *)s);
    return 0;
}
