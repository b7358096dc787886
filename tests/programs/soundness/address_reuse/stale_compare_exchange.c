// The compare-exchange of a thread that was interrupted succeeds, though the node is another one.
// PROPERTY valid-deref
// EXPECT violated
// ENGINES unknown comparison of a dangling pointer
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; };
_Atomic(struct node *) top;
static void push(struct node *node) {
    node->next = atomic_load(&top);
    atomic_store(&top, node);
}
static struct node *pop(void) {
    struct node *node = atomic_load(&top);
    atomic_store(&top, node->next);
    return node;
}
static void *other(void *unused) {
    free(pop());
    free(pop());
    push(malloc(sizeof(struct node)));
    return 0;
}
int main(void) {
    pthread_t thread;
    push(malloc(sizeof(struct node)));
    push(malloc(sizeof(struct node)));
    struct node *old = atomic_load(&top), *next = old->next;
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    if (atomic_compare_exchange_strong(&top, &old, next))
        top->next = 0; // VIOLATION
    return 0;
}
