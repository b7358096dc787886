// EXPECT proved
// NONDET -2..1
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(!feof(stdin) && !ferror(stdin));
    int c = fgetc(stdin);
    if (c == EOF)
        assert(feof(stdin) || ferror(stdin));
    if (feof(stdin))
        assert(fgetc(stdin) == EOF);
    clearerr(stdin);
    assert(!feof(stdin) && !ferror(stdin));
    return 0;
}
