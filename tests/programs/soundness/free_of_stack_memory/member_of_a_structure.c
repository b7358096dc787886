// After the join of a thread that only looked.
// PROPERTY valid-free
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
struct box { int *memory; };
struct box box;
static void *look(void *unused) { return box.memory; }
int main(void) {
    pthread_t thread;
    box.memory = __builtin_alloca(sizeof(int));
    *box.memory = 3;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    free(box.memory); // VIOLATION
    return 0;
}
