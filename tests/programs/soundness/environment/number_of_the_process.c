// EXPECT proved
#include <pthread.h>
#include <unistd.h>
#include <assert.h>
static int seen;
static void *thread(void *argument) {
    seen = getpid();
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    assert(getpid() > 0 && getuid() == getuid());
    pthread_join(other, 0);
    assert(seen == getpid());
    assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1 && sysconf(_SC_PAGESIZE) == sysconf(_SC_PAGESIZE));
    return 0;
}
