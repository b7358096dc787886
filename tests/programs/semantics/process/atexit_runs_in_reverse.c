// EXPECT violated
#include <stdlib.h>
#include <assert.h>

int x;

void first(void) {
    assert(x == 0); // VIOLATION
}

void second(void) { x = 1; }

int main(void) {
    assert(atexit(first) == 0);
    assert(atexit(second) == 0);
    return 0;
}
