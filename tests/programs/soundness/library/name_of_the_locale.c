// EXPECT violated
// NONDET -1..0
#include <assert.h>
#include <locale.h>
#include <string.h>

int main(void) {
    char *name = setlocale(LC_ALL, "");
    if (name)
        assert(strcmp(name, "C") == 0); // VIOLATION
    return 0;
}
