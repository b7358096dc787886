// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <stdio.h>
static void take(void *place) { scanf("%d", place); }
int main(void) {
    int number = 0;
    take(&number);
    assert(number != 2); // VIOLATION
    return 0;
}
