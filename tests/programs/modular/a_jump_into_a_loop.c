// The loop is entered in its middle, where a value is not yet what its head makes it.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int main(void) {
    int i = 0, x = 0;
    goto middle;
    while (i < 2) {
        x = 1;
    middle:
        assert(x == 1); // VIOLATION
        i++;
    }
    return 0;
}
