// Each thread shows its own local to the others of its kind.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int *shown;
void *work(void *p) {
    int own = 1;
    if (shown) *shown = 2;
    shown = &own;
    assert(own == 1); // VIOLATION
    for (;;) ;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
