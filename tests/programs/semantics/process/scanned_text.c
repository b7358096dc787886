// A word has at least one character and no more than its width allows; a position is not counted.
// EXPECT proved
// NONDET -1..2
#include <stdio.h>
#include <assert.h>

int main(void) {
    char word[3] = "";
    int position = 9;
    int count = sscanf("any", "%2s%n", word, &position);
    assert(count <= 1);
    if (count == 1)
        assert(word[0] != 0 && word[2] == 0);
    else
        assert(word[0] == 0);
    return 0;
}
