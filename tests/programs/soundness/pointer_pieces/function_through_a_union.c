// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <assert.h>
union word { void (*run)(void); unsigned long bits; };
static void bad(void) { assert(0); } // VIOLATION
int main(void) {
    union word word;
    word.run = bad;
    word.bits = -word.bits;
    word.bits = -word.bits;
    word.run();
    return 0;
}
