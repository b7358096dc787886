// EXPECT proved
// UNWIND 6
#include <pthread.h>
#include <assert.h>

int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
    assert(sum(4) == 10);
    return 0;
}
