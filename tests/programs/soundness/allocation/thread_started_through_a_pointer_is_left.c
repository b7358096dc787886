// What the library needs to start a thread is not the program's memory.
// PROPERTY valid-memcleanup
// EXPECT proved
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static void *one(void *unused) { return 0; }
static void *two(void *unused) { return 0; }

int main(void)
{
    pthread_t thread;
    pthread_key_t key;
    void *(*start)(void *) = __VERIFIER_nondet_int() ? one : two;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, start, 0);
    pthread_detach(thread);
    return 0;
}
