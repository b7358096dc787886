// What has been read before an error stays.
// EXPECT violated
// NONDET -3..0
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[4] = "abc";
    char *result = fgets(line, 4, stdin);
    if (!result && ferror(stdin))
        assert(line[0] == 'a'); // VIOLATION
    return 0;
}
