// Zero bytes are an unlocked mutex, whoever held it before.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern int nondet_int(void);
pthread_mutex_t m;

int main(void) {
    if (nondet_int() != 123456)
        return 0;
    pthread_mutex_lock(&m);
    memset(&m, 0, sizeof m);
    pthread_mutex_lock(&m);
    assert(0); // VIOLATION
    return 0;
}
