// What a destructor registers runs after all destructors.
// EXPECT proved
#include <assert.h>
#include <stdlib.h>

static int others;

static void handler(void) { assert(others == 1); }

__attribute__((destructor)) static void other(void) { others = 1; }
__attribute__((destructor)) static void registers(void) { atexit(handler); }

int main(void) { return 0; }
