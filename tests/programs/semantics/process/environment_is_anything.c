// EXPECT violated
#include <stdlib.h>
#include <assert.h>

int main(void) {
    assert(getenv("HOME") == 0); // VIOLATION
    return 0;
}
