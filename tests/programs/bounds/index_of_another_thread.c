// The index moves on between the check and the use.
// PROPERTY valid-deref
// EXPECT violated
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
    if (index < 2)
        data[index] = 1; // VIOLATION
    pthread_join(t, 0);
    return 0;
}
