// A call that succeeds may have set `errno` all the same.
// EXPECT violated
// NONDET 0..5
#include <assert.h>
#include <errno.h>
#include <locale.h>

int main(void) {
    errno = 0;
    char *name = setlocale(LC_ALL, "C");
    if (name != 0)
        assert(errno == 0); // VIOLATION
    return 0;
}
