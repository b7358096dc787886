// Two objects that point to each other are lost together.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>

struct node { struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof(struct node)); // VIOLATION
    struct node *b = malloc(sizeof(struct node)); // VIOLATION
    a->next = b;
    b->next = a;
    return 0;
}
