// EXPECT violated
#include <stdio.h>
#include <assert.h>
int main(void) {
    int position = 7;
    printf("ab%n\n", &position);
    assert(position == 2 || position == 7);
    assert(position == 7); // VIOLATION
    return 0;
}
