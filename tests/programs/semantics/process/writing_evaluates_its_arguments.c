// EXPECT violated
#include <stdio.h>
#include <assert.h>

int main(void) {
    int value = 3;
    fprintf(stderr, "%d\n", value++);
    assert(value == 3); // VIOLATION
    return 0;
}
