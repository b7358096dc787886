// EXPECT violated
#include <assert.h>
#include <locale.h>

int main(void) {
    assert(setlocale(LC_ALL, "fr_FR") != 0); // VIOLATION
    return 0;
}
