// PROPERTY lock-misuse
// EXPECT violated
#include <semaphore.h>

sem_t s;

int main(void) {
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_post(&s); // VIOLATION
    return 0;
}
