// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

int main(void) {
    pthread_spinlock_t s;
    pthread_spin_lock(&s); // VIOLATION
    return 0;
}
