// Each thread shows its instance of a thread-local variable.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
_Thread_local int own;
int *shown;
void *work(void *p) {
    own = 1;
    if (shown && shown != &own) *shown = 2;
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
