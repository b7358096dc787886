// As `bit_field_as_bytes`, through the address of a structure without constants, in a thread.
// PROPERTY valid-deref
// EXPECT unknown

#include <pthread.h>

struct flags { const unsigned kind : 3; unsigned level : 3; };
struct plain { unsigned kind : 3; unsigned level : 3; };
static struct flags flags = {1, 2};

static void *change(void *argument)
{
    struct plain *plain = argument;
    plain->kind = 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, change, &flags);
    pthread_join(thread, 0);
    return flags.kind;
}
