// The conversion says what is stored, not the type of the pointer.
// EXPECT violated
#include <assert.h>
#include <stdio.h>
int main(void) {
    int position = 0;
    void *place = &position;
    printf("abc%n\n", place);
    assert(position == 0); // VIOLATION
    return 0;
}
