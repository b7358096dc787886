// The function that is called once may change what is read beside it.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

static int number;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    number = 7;
}

int main(void)
{
    int sum = number + pthread_once(&once, initialise);
    assert(sum == 0); // VIOLATION
    return 0;
}
