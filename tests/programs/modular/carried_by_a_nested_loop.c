// The inner loop changes what the outer loop carries along.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int main(void) {
    int x = 0;
    for (int i = 0; i < 2; i++) {
        assert(x == 0); // VIOLATION
        for (int j = 0; j < 2; j++) x = j;
    }
    return 0;
}
