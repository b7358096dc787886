// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>

static int compare(const void *left, const void *right) { return -1; }

int main(void) {
    int numbers[2] = {1, 2};
    qsort(numbers, 3, sizeof(int), compare); // VIOLATION
    return 0;
}
