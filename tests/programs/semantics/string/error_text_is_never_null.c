// Numbers that are no errors have a text as well.
// EXPECT violated
#include <string.h>
#include <assert.h>

int main(void) {
    assert(strerror(99999) == 0); // VIOLATION
    return 0;
}
