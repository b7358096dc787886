// EXPECT violated
#include <stdlib.h>
#include <assert.h>
int main(void) {
    char *a = getenv("A"), *b = getenv("B");
    if (a && b)
        assert(a[0] == b[0]); // VIOLATION
    return 0;
}
