// What was scanned may be anything, and may not have been scanned at all.
// EXPECT violated
#include <stdio.h>
#include <assert.h>

int main(void) {
    int n = 5;
    scanf("%d", &n);
    assert(n == 5); // VIOLATION
    return 0;
}
