// Which of two variables comes first is the implementation's choice.
// EXPECT unknown
#include <assert.h>
#include <stdint.h>

int x, y;

int main(void) {
    if ((uintptr_t)&x > (uintptr_t)&y)
        assert(0);
    return 0;
}
