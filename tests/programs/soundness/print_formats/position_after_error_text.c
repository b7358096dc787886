// EXPECT violated
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
    int position = 0;
    errno = 0;
    printf("%m%n\n", &position);
    assert(position != 7); // VIOLATION
    return 0;
}
