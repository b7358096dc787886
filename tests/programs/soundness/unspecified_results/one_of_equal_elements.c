// Which of several equal elements is found is not specified.
// EXPECT violated
// NONDET -1..2
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct entry { int key, value; };
int main(void) {
    struct entry entries[3] = {{1, 10}, {1, 11}, {2, 12}};
    int key = 1;
    struct entry *found = bsearch(&key, entries, 3, sizeof entries[0], compare);
    assert(found->value == 11); // VIOLATION
    return 0;
}
