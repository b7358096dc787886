// EXPECT proved
#include <stdlib.h>
#include <assert.h>

int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int a[3] = {3, 1, 2}, key = 2;
    qsort(a, 3, sizeof a[0], compare);
    assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
    assert(bsearch(&key, a, 3, sizeof a[0], compare) == &a[1]);
    return 0;
}
