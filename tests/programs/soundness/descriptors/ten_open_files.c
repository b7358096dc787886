// EXPECT proved
// NONDET 3..3
#include <assert.h>
#include <fcntl.h>

int main(void) {
    int files[10];
    for (int i = 0; i < 10; i++) {
        files[i] = open("a", O_RDONLY);
        if (files[i] < 0)
            return 0;
    }
    assert(files[8] != files[9] && files[0] != files[9]);
    return 0;
}
