// EXPECT proved
#include <assert.h>
#include <setjmp.h>

jmp_buf place;

int main(void) {
    int visits = 0;
    if (setjmp(place) == 0) {
        visits++;
    }
    assert(visits == 1);
    return 0;
}
