// So is whether a sum with it overflows.
// PROPERTY no-overflow
// EXPECT unknown
#include <pthread.h>

int main(void)
{
    int number = (int)pthread_self();
    number = number + 2147480000;
    return 0;
}
