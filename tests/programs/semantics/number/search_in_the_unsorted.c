// EXPECT violated
#include <stdlib.h>
#include <assert.h>

int a[3] = {3, 1, 2};

int compare(const void *left, const void *right) {
    int x = *(const int *)left, y = *(const int *)right;
    return x < y ? -1 : x > y;
}

int main(void) {
    int key = 3;
    assert(bsearch(&key, a, 3, sizeof a[0], compare) == &a[0]); // VIOLATION
    return 0;
}
