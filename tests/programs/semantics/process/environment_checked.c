// EXPECT holds
#include <stdlib.h>
#include <assert.h>

int main(void) {
    char *home = getenv("HOME");
    int length = 0;
    if (home != 0 && home[0] != 0)
        length = 1;
    assert(length == 0 || home != 0);
    return 0;
}
