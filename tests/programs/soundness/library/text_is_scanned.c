// EXPECT proved
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0, position = 0;
    char word[4];
    assert(sscanf("42 abcdef", "%d %3s%n", &number, word, &position) == 2);
    assert(number == 42 && word[2] == 'c' && word[3] == 0 && position == 6);
    assert(sscanf("zz", "%d", &number) == 0 && number == 42);
    assert(sscanf("", "%d", &number) == -1);
    return 0;
}
