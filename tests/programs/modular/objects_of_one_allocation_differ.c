// Two objects made by one statement have contents of their own.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    int *first = 0, *last = 0;
    for (int i = 0; i < 2; i++) {
        int *made = malloc(sizeof *made);
        *made = i;
        if (!first) first = made;
        last = made;
    }
    assert(*first == *last); // VIOLATION
    return 0;
}
