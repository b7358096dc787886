// EXPECT holds
#include <stdlib.h>
#include <assert.h>
int main(void) {
    char *a = getenv("A"), *again = getenv("A"), *b = getenv("B");
    assert(a == again);
    assert(a == 0 || a != b);
    return 0;
}
