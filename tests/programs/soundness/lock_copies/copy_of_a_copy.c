// A semaphore is copied with the union that it lies in, and the copy is passed by value: its bytes are still those of the
// semaphore.
// EXPECT unknown
#include <assert.h>
#include <semaphore.h>

union cell {
    sem_t semaphore;
    int words[8];
};

union cell original;

int first_word(union cell copy) {
    return copy.words[0];
}

int main(void) {
    sem_init(&original.semaphore, 0, 3);
    union cell copy = original;
    assert(first_word(copy) != 3);
    return 0;
}
