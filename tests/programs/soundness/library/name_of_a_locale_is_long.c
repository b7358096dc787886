// EXPECT violated
// NONDET -1..0
#include <assert.h>
#include <locale.h>

int main(void) {
    char *name = setlocale(LC_ALL, "");
    if (name && name[0] != 'C')
        assert(name[7] == 0); // VIOLATION
    return 0;
}
