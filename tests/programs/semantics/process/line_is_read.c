// A line that is read has an end inside of the buffer; a character is a byte or EOF.
// EXPECT holds
// NONDET 0..3
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char line[3] = {1, 1, 1};
    FILE *file = fopen("input", "r");
    if (!file)
        return 1;
    assert(file != stdin && file != stdout);
    if (fgets(line, sizeof line, file))
        assert(line[0] == 0 || line[1] == 0 || line[2] == 0);
    int c = getchar();
    assert(c >= -1 && c <= 255);
    return 0;
}
