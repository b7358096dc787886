// EXPECT violated
// ENGINES unknown the comparison of a pointer to an object whose life is over
#include <assert.h>
#include <stdlib.h>
int *global;
int main(void) {
    global = malloc(4);
    int *old = global;
    free(global);
    global = malloc(8);
    assert(old == global); // VIOLATION
    free(global);
    return 0;
}
