// fclose() frees the number that fileno() has told.
// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    int number = fileno(file);
    fclose(file);
    assert(open("b", O_RDONLY) != number); // VIOLATION
    return 0;
}
