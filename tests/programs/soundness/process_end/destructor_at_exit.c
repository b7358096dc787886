// EXPECT violated
#include <assert.h>
#include <stdlib.h>

__attribute__((destructor)) static void end(void)
{
    assert(0); // VIOLATION
}

int main(void)
{
    exit(0);
}
