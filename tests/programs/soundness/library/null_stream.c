// `fopen` may fail.
// PROPERTY valid-deref
// EXPECT violated
#include <stdio.h>
int main(void) {
    FILE *file = fopen("name", "w");
    fprintf(file, "text\n"); // VIOLATION
    return 0;
}
