// The second node is reached through the first.
// PROPERTY valid-memtrack
// EXPECT proved
#include <stdlib.h>

struct node { struct node *next; };
struct node *head;
int main(void) {
    head = malloc(sizeof(struct node));
    head->next = malloc(sizeof(struct node));
    head->next->next = 0;
    return 0;
}
