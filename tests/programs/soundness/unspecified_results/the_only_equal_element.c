// EXPECT proved
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int numbers[4] = {1, 3, 5, 7}, key = 5, missing = 4;
    assert(bsearch(&key, numbers, 4, sizeof numbers[0], compare) == &numbers[2]);
    assert(bsearch(&missing, numbers, 4, sizeof numbers[0], compare) == 0);
    return 0;
}
