// EXPECT proved
#include <stdio.h>
#include <assert.h>
int main(void) {
    char line[4];
    if (fgets(line, sizeof line, stdin) && line[0] == '\n')
        assert(line[1] == 0);
    return 0;
}
