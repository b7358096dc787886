// Nothing is known of what is read, not even that there is something.
// EXPECT violated
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char line[2] = {2, 2};
    if (fgets(line, sizeof line, stdin))
        assert(line[0] != 1); // VIOLATION
    return 0;
}
