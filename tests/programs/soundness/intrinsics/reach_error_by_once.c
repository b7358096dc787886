// PROPERTY unreach-call
// EXPECT violated
#include <pthread.h>
extern void reach_error(void); // VIOLATION
static pthread_once_t once = PTHREAD_ONCE_INIT;

int main(void)
{
    pthread_once(&once, reach_error); // VIOLATION
    return 0;
}
