// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
static void say(FILE *stdout) {
    fprintf(stdout, "x\n"); // VIOLATION
}
int main(void) {
    say((FILE *)0);
    return 0;
}
