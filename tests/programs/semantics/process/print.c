// EXPECT proved
// ENGINES unknown the result of printf
#include <stdio.h>
#include <assert.h>

int main(void) {
    assert(printf("%d %s\n", 42, "knots") == 9);
    assert(putchar('x') == 'x');
    puts("done");
    fprintf(stderr, "not observed\n");
    return 0;
}
