// A spin lock has no static initialiser: on x86, glibc takes one of zeros for locked.
// PROPERTY lock-misuse
// EXPECT violated
// NATIVE no on x86 glibc takes zero for locked
#include <pthread.h>

pthread_spinlock_t s;

int main(void) {
    pthread_spin_lock(&s); // VIOLATION
    pthread_spin_unlock(&s);
    return 0;
}
