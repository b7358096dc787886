// EXPECT never-proved
// UNWIND 2
#include <pthread.h>
#include <assert.h>

int depth;

void down(int n) {
    depth = n;
    if (n < 9) down(n + 1);
}

int main(void) {
    down(0);
    assert(depth != 9);
    return 0;
}
