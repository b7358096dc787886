// EXPECT violated
#include <assert.h>
#include <stdio.h>
int main(void) {
    int length = printf("%x\n", 255);
    assert(length != 3); // VIOLATION
    return 0;
}
