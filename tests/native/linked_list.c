// Both threads push to a list under a mutex; the list tells the order.
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct node *head;

void *push(void *arg) {
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = *(int *)arg + i;
        SHAKE();
        pthread_mutex_lock(&m);
        node->next = head;
        head = node;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int ten = 10, twenty = 20;
    pthread_create(&a, 0, push, &ten);
    pthread_create(&b, 0, push, &twenty);
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (head) {
        struct node *node = head;
        head = node->next;
        printf("%d ", node->value);
        free(node);
    }
    printf("\n");
    return 0;
}
