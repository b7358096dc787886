// EXPECT never-proved
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *home = getenv("HOME");
    assert(home == 0 || home[0] == home[0]);
    return 0;
}
