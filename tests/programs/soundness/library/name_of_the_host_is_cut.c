// A name that does not fit is written as far as there is room.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <unistd.h>

int main(void) {
    char name[2] = "a";
    if (gethostname(name, 1) != 0)
        assert(name[0] == 'a'); // VIOLATION
    return 0;
}
