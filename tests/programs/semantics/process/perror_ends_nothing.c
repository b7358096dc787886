// EXPECT violated
#include <stdio.h>
#include <assert.h>

int main(void) {
    int ready = 0;
    if (!ready)
        perror("not ready");
    assert(ready); // VIOLATION
    return 0;
}
