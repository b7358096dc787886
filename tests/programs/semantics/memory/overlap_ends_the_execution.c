// Where valid-deref is not selected, an execution ends with its undefined behaviour, in the engines as in the explorer.
// EXPECT proved
#include <string.h>
#include <assert.h>

char a[8];

int main(void) {
    memcpy(a + 1, a, 4);
    assert(0);
    return 0;
}
