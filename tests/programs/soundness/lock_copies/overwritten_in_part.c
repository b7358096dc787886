// The other bytes of a semaphore stay as operations have left them where only one word is overwritten.
// EXPECT unknown
#include <assert.h>
#include <semaphore.h>

sem_t semaphore;

int main(void) {
    int value;
    sem_init(&semaphore, 0, 5);
    ((int *)&semaphore)[1] = 0;
    sem_getvalue(&semaphore, &value);
    assert(value != 5);
    return 0;
}
