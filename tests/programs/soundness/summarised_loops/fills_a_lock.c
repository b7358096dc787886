// A loop that only fills memory may fill a lock, which is free afterwards.
// PROPERTY assert
// EXPECT violated
// UNWIND 41
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct guarded {
    pthread_mutex_t lock;
    int value;
};

int main(void) {
    struct guarded *guarded = malloc(sizeof *guarded);
    pthread_mutex_init(&guarded->lock, 0);
    pthread_mutex_lock(&guarded->lock);
    unsigned char *bytes = (unsigned char *)guarded;
    for (unsigned i = 0; i < sizeof(pthread_mutex_t); i++) bytes[i] = 0;
    pthread_mutex_lock(&guarded->lock);
    assert(0); // VIOLATION
    return 0;
}
