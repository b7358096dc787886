// PROPERTY lock-misuse
// EXPECT proved
#include <semaphore.h>

sem_t s;

int main(void) {
    int value;
    sem_init(&s, 0, 0);
    sem_post(&s);
    sem_wait(&s);
    sem_getvalue(&s, &value);
    sem_destroy(&s);
    return 0;
}
