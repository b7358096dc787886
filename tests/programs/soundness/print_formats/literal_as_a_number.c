// EXPECT proved
#include <assert.h>
#include <stdio.h>
int main(void) {
    char text[8];
    int length = snprintf(text, sizeof text, (const char *)(char *)"x%d", 5);
    assert(length == 2 && text[1] == '5');
    return 0;
}
