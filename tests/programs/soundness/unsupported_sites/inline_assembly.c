// Inline assembly may do anything to what it is given.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown inline assembly
#include <assert.h>
int main(void) {
    int value = 1;
    __asm__ volatile("movl $0, %0" : "=m"(value));
    assert(value == 0 || value == 2);
    return 0;
}
