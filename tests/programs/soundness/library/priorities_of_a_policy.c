// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static int accepts(pthread_attr_t *attribute, int priority) {
    struct sched_param parameter = {0};
    parameter.sched_priority = priority;
    return pthread_attr_setschedparam(attribute, &parameter);
}

int main(void) {
    pthread_attr_t attribute;
    pthread_attr_init(&attribute);
    assert(accepts(&attribute, 0) == 0 && accepts(&attribute, 50) == EINVAL);
    pthread_attr_setschedpolicy(&attribute, SCHED_FIFO);
    assert(accepts(&attribute, 0) == EINVAL && accepts(&attribute, 50) == 0 && accepts(&attribute, 100) == EINVAL);
    return 0;
}
