// PROPERTY valid-free
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
static void *run(void *unused) {
    int *p = __builtin_alloca(sizeof(int));
    *p = 1;
    free(p); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
