// A string of its own for what is printed.
// EXPECT proved
// ENGINES unknown output into a buffer
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

int main(void) {
    char *text, line[] = "a,,b", *rest = line;
    assert(asprintf(&text, "%d", 42) == 2 && strcmp(text, "42") == 0);
    free(text);
    assert(strcmp(strsep(&rest, ","), "a") == 0 && *strsep(&rest, ",") == 0);
    assert(strcmp(strsep(&rest, ","), "b") == 0 && rest == 0);
    return 0;
}
