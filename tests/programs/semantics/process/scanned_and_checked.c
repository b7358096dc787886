// EXPECT proved
#include <stdio.h>
#include <assert.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n < 0 || n > 9)
        return 0;
    assert(n * n <= 81);
    return 0;
}
