// What is behind the pointer is not looked at: it may be null, and it may not.
// EXPECT violated
#include <assert.h>

extern struct {
    int number;
    int *pointer;
} object;

int main(void)
{
    int seen = object.pointer != 0;
    assert(!seen); // VIOLATION
    return 0;
}
