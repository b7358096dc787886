// EXPECT violated
// TREES unknown byte-wise access to a pointer
#include <assert.h>
struct table { int count; void (*run)(void); };
static void bad(void) { assert(0); } // VIOLATION
static void good(void) {}
static struct table table = {1, good};
int main(void) {
    void (*a)(void) = bad;
    unsigned char *from = (unsigned char *)&a, *to = (unsigned char *)&table.run;
    for (unsigned i = 0; i < sizeof a; i++)
        to[i] = from[i];
    table.run();
    return 0;
}
