// EXPECT proved
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *list = 0, *tail = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = i;
        list = node;
        if (!tail)
            tail = node;
    }
    int count = 0;
    while (list != tail) {
        struct node *next = list->next;
        free(list);
        list = next;
        count++;
    }
    assert(count == 2 && list->value == 0);
    free(list);
    return 0;
}
