// A function without a body may call what it is given.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown the function has no body
#include <assert.h>
extern void each(void (*callback)(int));
static void check(int value) {
    assert(value != 3);
}
int main(void) {
    each(check);
    return 0;
}
