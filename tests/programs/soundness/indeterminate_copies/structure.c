// Assigning a structure copies its members that have no value yet.
// PROPERTY assert
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Pair {
    int first, second;
} shared;

int main(void) {
    struct Pair pair;
    pair.first = 1;
    shared = pair;
    assert(shared.second == 0); // VIOLATION
    return 0;
}
