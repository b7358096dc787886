// Copied through a structure, the heap, an argument and a result, a handle still joins.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct box { int tag; pthread_t thread; };
int x;
static void *run(void *unused) { x = 1; return 0; }
static void finish(pthread_t thread) { pthread_join(thread, 0); }
static pthread_t start(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    return thread;
}
int main(void) {
    struct box *box = malloc(sizeof *box), copy;
    box->tag = 7;
    box->thread = start();
    memcpy(&copy, box, sizeof copy);
    free(box);
    finish(copy.thread);
    assert(x == 1 && copy.tag == 7);
    return 0;
}
