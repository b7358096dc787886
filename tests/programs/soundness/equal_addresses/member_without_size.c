// EXPECT proved
#include <assert.h>
#include <stdlib.h>

struct message {
    int length;
    int empty[0];
    int text;
} message;

int main(void)
{
    assert((void *)message.empty == (void *)&message.text);
    void *one = malloc(0), *other = malloc(0);
    assert(one == 0 || one != other);
    return 0;
}
