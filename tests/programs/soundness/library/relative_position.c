// EXPECT proved
// NONDET -1..3
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    assert(fseek(file, -1, SEEK_CUR) != 0);
    if (fseek(file, 5, SEEK_SET) == 0 && fseek(file, 3, SEEK_CUR) == 0) {
        long position = ftell(file);
        assert(position == 8 || position == -1);
    }
    return 0;
}
