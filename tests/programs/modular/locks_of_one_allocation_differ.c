// Each node has a lock of its own, which does not protect what is in another place.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; };
int x;
void *work(void *p) {
    struct node *node = p;
    pthread_mutex_lock(&node->m);
    x++;
    assert(x == 1); // VIOLATION
    x--;
    pthread_mutex_unlock(&node->m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        pthread_mutex_init(&node->m, 0);
        pthread_create(&t, 0, work, node);
    }
    return 0;
}
