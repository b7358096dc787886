// What a function without a body returns is unknown: the assertion may fail.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown the function has no body
#include <assert.h>
extern int foo(void);
int main(void) {
    assert(foo() == 0);
    return 0;
}
