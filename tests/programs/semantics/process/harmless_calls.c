// EXPECT proved
#include <stdio.h>
#include <locale.h>
#include <assert.h>

int main(void) {
    setbuf(stdout, 0);
    assert(setlocale(LC_ALL, "C") == setlocale(LC_ALL, 0));
    perror("not observed");
    int flushed = fflush(stdout);
    assert(flushed == 0 || flushed == EOF);
    int closed = fclose(stderr);
    assert(closed == 0 || closed == EOF);
    return 0;
}
