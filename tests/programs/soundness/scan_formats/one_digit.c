// EXPECT proved
#include <assert.h>
#include <stdio.h>
int main(void) {
    unsigned decimal = 0, hexadecimal = 0;
    int any = 0;
    scanf("%1u %1x %2i", &decimal, &hexadecimal, &any);
    assert(decimal <= 9 && hexadecimal <= 15);
    assert(any >= -9 && any <= 99);
    return 0;
}
