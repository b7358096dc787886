// The thread frees what it is given; main looks at it without waiting.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *owner(void *arg) {
    free(arg);
    return 0;
}
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof(int));
    *p = 1;
    pthread_create(&t, 0, owner, p);
    *p = 2; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
