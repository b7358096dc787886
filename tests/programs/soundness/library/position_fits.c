// PROPERTY no-overflow
// EXPECT proved
// NONDET -1..2
#include <stdio.h>

int main(void) {
    long size = ftell(stdin) + 1;
    return size < 0;
}
