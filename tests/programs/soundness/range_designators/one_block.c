// All elements hold the address of one block.
// PROPERTY valid-free
// EXPECT violated
#include <stdlib.h>

int main(void)
{
    void *blocks[2] = { [0 ... 1] = malloc(4) };
    free(blocks[0]);
    free(blocks[1]); // VIOLATION
    return 0;
}
