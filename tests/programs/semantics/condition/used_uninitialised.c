// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

int main(void) {
    pthread_cond_t c;
    pthread_cond_broadcast(&c); // VIOLATION
    return 0;
}
