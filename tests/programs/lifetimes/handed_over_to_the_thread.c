// Main does not touch what it has given away.
// PROPERTY valid-deref
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *owner(void *arg) {
    *(int *)arg = 2;
    free(arg);
    return 0;
}
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof(int));
    *p = 1;
    pthread_create(&t, 0, owner, p);
    pthread_join(t, 0);
    return 0;
}
