// EXPECT proved
#include <stdio.h>
#include <locale.h>
#include <assert.h>

int main(void) {
    setbuf(stdout, 0);
    assert(setlocale(LC_ALL, "C") == setlocale(LC_ALL, 0));
    perror("not observed");
    assert(fflush(stdout) == 0);
    assert(fclose(stderr) == 0);
    return 0;
}
