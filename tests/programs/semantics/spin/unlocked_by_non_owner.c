// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_spinlock_t s;

int main(void) {
    pthread_spin_init(&s, 0);
    pthread_spin_unlock(&s); // VIOLATION
    return 0;
}
