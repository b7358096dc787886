// EXPECT violated
// ENGINES unknown comparison of a dangling pointer
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
