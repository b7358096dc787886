// Smaller priorities come later, and those without one first.
// EXPECT proved
#include <assert.h>

static int step;

__attribute__((destructor(101))) static void last(void) { assert(step++ == 3); }
__attribute__((destructor(200))) static void third(void) { assert(step++ == 2); }
__attribute__((destructor)) static void second(void) { assert(step++ == 1); }
__attribute__((destructor)) static void first(void) { assert(step++ == 0); }

int main(void) { return 0; }
