// Arithmetic that is defined for all numbers does not depend on what a handle is, as long as nothing is decided by it.
// PROPERTY no-overflow
// EXPECT proved
#include <pthread.h>

unsigned long hash;

int main(void)
{
    unsigned long number = (unsigned long)pthread_self();
    hash = (number * 31) ^ (number >> 7);
    return 0;
}
