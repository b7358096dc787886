// EXPECT proved
#include <assert.h>
#include <stdio.h>
int main(void) {
    int length = printf("%d-%s\n", 12, "ab"), position = 0;
    assert(length < 0 || length == 6);
    printf("%5d|%n\n", 7, &position);
    assert(position == 6);
    if (printf("%.2f\n", 1.5) == 0)
        assert(0);
    return 0;
}
