// An address through a union: as a number, in bytes and in halves.
// PROPERTY valid-deref
// EXPECT proved
// TREES unknown byte-wise access to a pointer
#include <stdint.h>
#include <stdlib.h>

union word {
    int *pointer;
    uintptr_t number;
    unsigned char bytes[8];
    uint32_t halves[2];
};

int main(void) {
    int *object = malloc(sizeof *object);
    union word first, second, third;
    first.pointer = object;
    second.number = first.number;
    for (int i = 0; i < 8; i++)
        third.bytes[i] = second.bytes[i];
    third.halves[0] = first.halves[0];
    *third.pointer = 4;
    free(third.pointer);
    return 0;
}
