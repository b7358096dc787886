// EXPECT proved
// NONDET 2..4
#include <assert.h>
#include <fcntl.h>

int main(void) {
    int first = open("a", O_RDONLY), second = open("b", O_RDONLY);
    if (first >= 0 && second >= 0)
        assert(first != second && first > 2);
    return 0;
}
