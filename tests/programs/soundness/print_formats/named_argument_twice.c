// What follows output that uses an argument twice is reached.
// EXPECT violated
#include <assert.h>
#include <stdio.h>
int main(void) {
    int number = 4;
    printf("%1$d, again %1$d\n", number);
    assert(number == 5); // VIOLATION
    return 0;
}
