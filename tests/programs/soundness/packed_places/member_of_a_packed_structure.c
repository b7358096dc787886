// In packed structures a number lies at places that are no multiple of its size.
// EXPECT violated
// NONDET 0..2
#include <assert.h>

unsigned nondet_uint(void);

struct __attribute__((packed)) part {
    char before;
    int number;
    char behind[3];
} parts[3];

int main(void) {
    unsigned index = nondet_uint();
    if (index >= 3)
        return 0;
    parts[index].number = -1;
    assert(*(int *)parts == 0); // VIOLATION
    return 0;
}
