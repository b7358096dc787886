// setjmp returns again, with another value.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown setjmp
#include <assert.h>
#include <setjmp.h>
static jmp_buf place;
int main(void) {
    if (setjmp(place) != 0)
        assert(0);
    longjmp(place, 1);
    return 0;
}
