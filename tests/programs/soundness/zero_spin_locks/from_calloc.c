// PROPERTY lock-misuse
// EXPECT violated
// NATIVE no on x86 glibc takes zero for locked
#include <pthread.h>
#include <stdlib.h>

struct box {
    int x;
    pthread_spinlock_t s;
};

static void *other(void *arg) {
    struct box *box = arg;
    pthread_spin_lock(&box->s); // VIOLATION
    box->x++;
    pthread_spin_unlock(&box->s);
    return 0;
}

int main(void) {
    pthread_t t;
    struct box *box = calloc(1, sizeof *box);
    pthread_create(&t, 0, other, box);
    pthread_join(t, 0);
    free(box);
    return 0;
}
