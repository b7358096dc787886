// EXPECT proved
#include <stdio.h>
#include <locale.h>
#include <assert.h>

int main(void) {
    setbuf(stdout, 0);
    setlocale(LC_ALL, "C");
    perror("not observed");
    assert(fflush(stdout) == 0);
    assert(fclose(stderr) == 0);
    return 0;
}
