// EXPECT proved
#include <assert.h>
#include <threads.h>

int minus_one(void *argument)
{
    (void)argument;
    return -1;
}

int main(void)
{
    thrd_start_t function = minus_one;
    thrd_t thread;
    int result;
    thrd_create(&thread, function, 0);
    thrd_join(thread, &result);
    assert(result == -1);
    return 0;
}
