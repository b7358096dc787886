// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t s;

int main(void) {
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    pthread_spin_destroy(&s); // VIOLATION
    return 0;
}
