// PROPERTY lock-misuse
// EXPECT violated
// NATIVE no on x86 glibc takes zero for locked
#include <pthread.h>
#include <string.h>

pthread_spinlock_t s;

int main(void) {
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    memset((void *)&s, 0, sizeof s);
    if (pthread_spin_trylock(&s) == 0) // VIOLATION
        pthread_spin_unlock(&s);
    return 0;
}
