// Whether a number made of a handle is zero is up to the implementation.
// PROPERTY no-div-by-zero
// EXPECT unknown
#include <pthread.h>

int main(void)
{
    unsigned long number = pthread_self();
    return (int)(100 / (number % 8));
}
