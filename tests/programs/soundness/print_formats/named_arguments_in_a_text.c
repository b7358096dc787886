// EXPECT proved
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[16];
    snprintf(text, sizeof text, "%2$c%1$d%2$c", 42, 'x');
    assert(strcmp(text, "x42x") == 0);
    return 0;
}
