// Two objects made by one statement are not at the same place.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    int *first = 0, *last = 0;
    for (int i = 0; i < 2; i++) {
        last = malloc(sizeof *last);
        if (!first) first = last;
    }
    assert(first == last); // VIOLATION
    return 0;
}
