// Freeing the head loses the rest.
// PROPERTY valid-memtrack
// EXPECT violated
#include <stdlib.h>

struct node { struct node *next; };
struct node *head;
int main(void) {
    head = malloc(sizeof(struct node));
    head->next = malloc(sizeof(struct node)); // VIOLATION
    head->next->next = 0;
    free(head);
    return 0;
}
