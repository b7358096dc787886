// The creator's stack memory, while it lives.
// PROPERTY valid-free
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
static void *run(void *memory) {
    free(memory); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t thread;
    char *p = __builtin_alloca(16);
    p[0] = 0;
    pthread_create(&thread, 0, run, p);
    pthread_join(thread, 0);
    return 0;
}
