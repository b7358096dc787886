// The address of the callback is in a global array that the function may read.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown the function has no body
#include <assert.h>
static void bad(void) {
    assert(0);
}
static void good(void) {}
void (*table[2])(void) = {good, bad};
extern void choose(void);
int main(void) {
    choose();
    return 0;
}
