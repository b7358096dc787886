// Numbers beside a pointer are no pieces of it.
// EXPECT proved
#include <assert.h>
#include <stdlib.h>
struct node { int count; short kind; void (*run)(struct node *); struct node *next; };
static void never(struct node *node) { assert(0); }
static void add(struct node *node) { node->count++; }
static void (*unused)(struct node *) = never;
int main(void) {
    struct node *nodes = calloc(3, sizeof *nodes);
    for (int i = 0; i < 3; i++) {
        nodes[i].kind = (short)i;
        nodes[i].run = add;
        nodes[i].next = i < 2 ? &nodes[i + 1] : 0;
    }
    for (struct node *n = nodes; n; n = n->next)
        n->run(n);
    assert(nodes[2].count == 1 && unused);
    free(nodes);
    return 0;
}
