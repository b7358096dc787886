// The locks do not belong to the lists: two threads may be in one list under different locks.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown pointers with symbolic offsets into different objects are not compared
#include <pthread.h>
#include <stdlib.h>

struct link {
    struct link *next;
};

struct element {
    int datum;
    struct link link;
};

struct link list[2];
pthread_mutex_t lock[2];

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

void add(struct link *link, struct link *head)
{
    link->next = head->next;
    head->next = link;
}

struct element *element_of(struct link *link)
{
    return (struct element *)((char *)link - (size_t)&((struct element *)0)->link);
}

void *visit(void *unused)
{
    int i = __VERIFIER_nondet_int();
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < 2 && 0 <= k && k < 2);
    pthread_mutex_lock(&lock[k]);
    for (struct link *at = list[i].next; at != &list[i]; at = element_of(at)->link.next)
        element_of(at)->datum++; // RACE
    pthread_mutex_unlock(&lock[k]);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    for (int i = 0; i < 2; i++) {
        struct element *element = malloc(sizeof *element);
        element->datum = i;
        list[i].next = &list[i];
        add(&element->link, &list[i]);
        pthread_mutex_init(&lock[i], NULL);
    }
    pthread_create(&first, NULL, visit, NULL);
    pthread_create(&second, NULL, visit, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
