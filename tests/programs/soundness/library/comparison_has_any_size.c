// EXPECT violated
// NONDET -2..0
#include <string.h>
#include <assert.h>
int main(void) {
    int order = strcmp("a", "b");
    assert(order < 0);
    assert(order == -1); // VIOLATION
    return 0;
}
