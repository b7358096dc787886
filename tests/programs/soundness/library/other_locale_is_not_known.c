// Which letters the locale has is not known.
// EXPECT never-proved
// TREES unknown what depends on another locale
#include <assert.h>
#include <ctype.h>
#include <locale.h>

int main(void) {
    if (setlocale(LC_ALL, "de_DE.ISO-8859-1"))
        assert(!(isalpha)(0xe4));
    return 0;
}
