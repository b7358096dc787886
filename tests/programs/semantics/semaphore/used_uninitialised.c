// PROPERTY lock-misuse
// EXPECT violated
#include <semaphore.h>

int main(void) {
    sem_t s;
    sem_wait(&s); // VIOLATION
    return 0;
}
