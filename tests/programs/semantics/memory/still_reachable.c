// A global still points to it, through another object: not lost, although not freed.
// PROPERTY valid-memtrack
// EXPECT proved
#include <stdlib.h>

struct node {
    struct node *next;
} *list;

int main(void) {
    list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = 0;
    return 0;
}
