// The index that was checked is the one that is used.
// PROPERTY valid-deref
// EXPECT proved
#include <pthread.h>

int index;
int data[2];
void *mover(void *arg) {
    index++;
    return 0;
}
int main(void) {
    pthread_t t;
    index = 1;
    pthread_create(&t, 0, mover, 0);
    int i = index;
    if (i < 2)
        data[i] = 1;
    pthread_join(t, 0);
    return 0;
}
