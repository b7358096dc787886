// EXPECT violated
// NONDET 1..2
#include <unistd.h>
#include <assert.h>
int main(void) {
    assert(getpid() != 2); // VIOLATION
    return 0;
}
