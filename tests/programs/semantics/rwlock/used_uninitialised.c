// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

int main(void) {
    pthread_rwlock_t l;
    pthread_rwlock_rdlock(&l); // VIOLATION
    return 0;
}
