// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>
int main(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
    assert(pthread_attr_setdetachstate(&attributes, 77) == EINVAL);
    pthread_attr_destroy(&attributes);
    return 0;
}
