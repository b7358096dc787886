// The elements of an array are told apart, whatever the type of the index.
// EXPECT proved
#include <assert.h>
struct entry { long number; void (*run)(void); long other; };
static void bad(void) { assert(0); }
static void good(void) {}
static struct entry entries[3] = {{0, good, 0}, {0, good, 0}, {0, good, 0}};
int main(void) {
    unsigned long exposed = (unsigned long)bad;
    for (unsigned long i = 0; i < 3; i++)
        entries[i].number = 1;
    for (long i = 2; i >= 0; i--)
        (entries + 3 - 1 - i)->other = 1;
    entries[1].run();
    return exposed == 0;
}
