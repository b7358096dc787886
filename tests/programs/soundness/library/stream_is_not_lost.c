// A stream that is left open is closed at exit: no memory of the program is lost.
// PROPERTY valid-memcleanup
// EXPECT proved
// NONDET 0..3
#include <stdio.h>
int main(void) {
    FILE *file = fopen("name", "w");
    return file == 0;
}
