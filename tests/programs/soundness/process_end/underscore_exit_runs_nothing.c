// EXPECT proved
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void)
{
    assert(0);
}

__attribute__((destructor)) static void end(void)
{
    assert(0);
}

int main(void)
{
    atexit(handler);
    _exit(0);
}
