// PROPERTY valid-memcleanup
// EXPECT proved
#include <stdlib.h>

struct holder {
    int *block;
    int number;
};

int main(void)
{
    struct holder holders[2] = { [0 ... 1].block = malloc(sizeof(int)), 5 };
    free(holders[1].block);
    return 0;
}
