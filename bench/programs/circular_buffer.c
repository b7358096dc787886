// A sender puts numbers into a circular buffer and a receiver takes them out; each operation is one atomic step. What
// comes out must come in order. In the broken version the receiver does not look whether there is anything.
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 8
#endif
#define SIZE 10

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int buffer[SIZE];
unsigned first = 0;
unsigned next = 0;
unsigned stored = 0;

void *send(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        __VERIFIER_atomic_begin();
        if (stored < SIZE) {
            buffer[next] = i + 1;
            next = (next + 1) % SIZE;
            stored++;
        }
        __VERIFIER_atomic_end();
    }
    return 0;
}

void *receive(void *unused)
{
    int last = 0;
    for (int i = 0; i < ITEMS; i++) {
        __VERIFIER_atomic_begin();
#ifndef BROKEN
        if (stored > 0)
#endif
        {
            assert(buffer[first] == last + 1);
            last = buffer[first];
            first = (first + 1) % SIZE;
            stored--;
        }
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void)
{
    pthread_t sender, receiver;
    pthread_create(&sender, 0, send, 0);
    pthread_create(&receiver, 0, receive, 0);
    pthread_join(sender, 0);
    pthread_join(receiver, 0);
    return 0;
}
