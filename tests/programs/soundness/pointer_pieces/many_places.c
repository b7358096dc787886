// An array in which pointers lie at many places, moved within it.
// EXPECT proved
#include <assert.h>
#include <string.h>
struct entry { int *first; long number; int *second; };
static struct entry entries[80];
static int object;
static long exposed;
int main(void) {
    exposed = (long)&object;
    struct entry *e = entries;
    e[0].first = &object; e[1].second = &object; e[2].first = &object; e[3].second = &object;
    memmove(&e[20], &e[0], 4 * sizeof *e);
    memmove(&e[41], &e[20], 4 * sizeof *e);
    memmove(&e[0], &e[41], 4 * sizeof *e);
    memmove((char *)e + 8, e, 96);
    assert(e[20].first == &object);
    return 0;
}
