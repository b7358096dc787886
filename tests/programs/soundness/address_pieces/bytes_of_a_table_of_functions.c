// So are the bytes of a table of functions.
// EXPECT violated
// NONDET 123456..123456
// TREES unknown byte-wise access to a pointer
#include <assert.h>

int nondet_int(void);
static void first(void) {}
static void second(void) {}
void (*table[2])(void) = {first, second};

int main(void) {
    if (nondet_int() != 123456) return 0;
    unsigned char *bytes = (unsigned char *)table;
    int any = 0;
    for (int i = 0; i < 16; i++) any |= bytes[i];
    assert(any == 0); // VIOLATION
    return 0;
}
