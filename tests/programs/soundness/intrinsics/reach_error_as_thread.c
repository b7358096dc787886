// PROPERTY unreach-call
// EXPECT violated
#include <pthread.h>
extern void *reach_error(void *); // VIOLATION

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reach_error, 0); // VIOLATION
    pthread_join(thread, 0);
    return 0;
}
