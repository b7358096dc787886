// EXPECT proved
#include <stdio.h>
#include <assert.h>

int main(void) {
    int length = printf("%d%%\n", 42), same = printf("knots\n"), character = putchar('x');
    assert(length >= 0 || length == -1);
    assert(same == 6 || same < 0);
    assert(character == 'x' || character == EOF);
    puts("done");
    fprintf(stderr, "not observed\n");
    return 0;
}
