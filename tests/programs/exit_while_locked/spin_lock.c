// PROPERTY no-exit-while-locked
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

pthread_spinlock_t s;

int main(void) {
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    quick_exit(0); // VIOLATION
}
