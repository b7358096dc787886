// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..3
#include <stdio.h>
int main(void) {
    FILE *file = fopen("name", "w");
    if (!file)
        return 1;
    fclose(file);
    fputs("text", file); // VIOLATION
    return 0;
}
