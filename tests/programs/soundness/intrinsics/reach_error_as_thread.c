// A thread may begin with the error itself.
// PROPERTY unreach-call
// EXPECT violated
#include <pthread.h>

extern void *reach_error(void *); // VIOLATION

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reach_error, 0);
    pthread_join(t, 0);
    return 0;
}
