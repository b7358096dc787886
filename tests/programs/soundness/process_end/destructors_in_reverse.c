// Destructors run in the opposite order of constructors: of one priority, the last first.
// EXPECT violated
#include <assert.h>

static int closed;

__attribute__((destructor)) static void close_log(void) { closed = 1; }
__attribute__((destructor)) static void close_file(void) { assert(closed); } // VIOLATION

int main(void) { return 0; }
