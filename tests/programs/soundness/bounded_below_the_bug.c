// Two rounds are not enough to see the tenth: up to the bound it holds, and nobody says more.
// EXPECT never-proved
// UNWIND 2
#include <pthread.h>
#include <assert.h>

int x;

int main(void) {
    for (int i = 0; i < 10; i++) x++;
    assert(x != 10);
    return 0;
}
