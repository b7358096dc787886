// PROPERTY valid-deref
// EXPECT proved
// NONDET 0..3
#include <stdio.h>
int main(void) {
    FILE *file = fopen("name", "w");
    if (!file)
        return 1;
    fputs("text", file);
    fputc('x', file);
    fprintf(stderr, "%s\n", "text");
    fclose(file);
    return 0;
}
