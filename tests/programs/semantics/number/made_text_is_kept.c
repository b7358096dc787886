// PROPERTY valid-memcleanup
// EXPECT violated
// ENGINES unknown output into a buffer
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    char *text;
    return asprintf(&text, "x") - 1; // VIOLATION
}
