// The copy of a semaphore in an array of numbers has the bytes of the semaphore as operations have left them.
// EXPECT unknown
#include <assert.h>
#include <semaphore.h>
#include <string.h>

sem_t tickets;
unsigned words[sizeof(sem_t) / sizeof(unsigned)];

int main(void) {
    sem_init(&tickets, 0, 5);
    memcpy(words, &tickets, sizeof tickets);
    assert(words[0] != 5);
    return 0;
}
