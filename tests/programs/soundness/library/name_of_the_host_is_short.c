// EXPECT holds
// NONDET 0..0
#include <assert.h>
#include <unistd.h>

int main(void) {
    char name[66];
    name[65] = 'x';
    if (gethostname(name, 66) == 0)
        assert(name[65] == 'x');
    return 0;
}
