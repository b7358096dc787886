// EXPECT proved
#include <string.h>
#include <assert.h>

int main(void) {
    char text[] = "a bc";
    char *next;
    assert(strcmp(strtok_r(text, " ", &next), "a") == 0);
    assert(strcmp(strtok_r(0, " ", &next), "bc") == 0);
    assert(strtok_r(0, " ", &next) == 0);
    return 0;
}
