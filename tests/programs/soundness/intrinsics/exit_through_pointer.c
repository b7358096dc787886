// EXPECT proved
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    void (*end)(int) = exit;
    end(0);
    assert(0);
}
