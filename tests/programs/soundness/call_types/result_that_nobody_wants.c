// EXPECT proved
#include <assert.h>

int calls;

int count(void *unused)
{
    (void)unused;
    return ++calls;
}

void (*handler)(void *) = (void (*)(void *))count;

int main(void)
{
    handler(0);
    assert(calls == 1);
    return 0;
}
