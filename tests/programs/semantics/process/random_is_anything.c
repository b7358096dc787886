// EXPECT violated
#include <stdlib.h>
#include <assert.h>

int main(void) {
    srand(1);
    assert(rand() == 0); // VIOLATION
    return 0;
}
