// EXPECT proved
#include <stdlib.h>
#include <unistd.h>
#include <assert.h>

void handler(void) { assert(0); }

int main(void) {
    atexit(handler);
    _exit(0);
}
