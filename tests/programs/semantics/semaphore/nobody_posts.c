// PROPERTY no-deadlock
// EXPECT violated
#include <semaphore.h>

sem_t s;

int main(void) {
    sem_init(&s, 0, 1);
    sem_wait(&s);
    sem_wait(&s); // VIOLATION
    return 0;
}
