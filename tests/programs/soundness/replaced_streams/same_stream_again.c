// PROPERTY valid-deref
// EXPECT proved
#include <stdio.h>
int main(void) {
    FILE *saved = stdout;
    stdout = saved;
    fprintf(stdout, "x\n");
    puts("y");
    return 0;
}
