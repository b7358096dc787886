// EXPECT proved
#include <assert.h>
#include <locale.h>

int main(void) {
    assert(setlocale(LC_TIME, "C") != 0 && setlocale(12, "POSIX") != 0);
    assert(setlocale(-1, "C") == 0 && setlocale(13, 0) == 0);
    return 0;
}
