// EXPECT violated
// NONDET -1..1
#include <stdio.h>
#include <assert.h>

int main(void) {
    assert(rename("old", "new") == 0); // VIOLATION
    return 0;
}
