// EXPECT violated
#include <pthread.h>
#include <assert.h>
int main(void) {
    int old = 7;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == 7); // VIOLATION
    return 0;
}
