// EXPECT proved
#include <string.h>
#include <assert.h>

int main(void) {
    char a[16];
    assert(strcpy(a, "knot") == a && strlen(a) == 4);
    assert(strcat(a, "ted") == a && strcmp(a, "knotted") == 0);
    assert(strcmp(a, "knots") > 0 && strcmp(a, "knottee") < 0 && strncmp(a, "knots", 4) == 0);
    assert(strchr(a, 't') == a + 3 && strrchr(a, 't') == a + 4 && strchr(a, 'z') == 0);
    assert(strstr(a, "tt") == a + 3 && strstr(a, "gordian") == 0);
    assert(strspn(a, "onk") == 3 && strcspn(a, "d") == 6);
    strncpy(a, "gordian", 3);
    assert(strcmp(a, "gortted") == 0);
    assert(strncat(a, "xyz", 1) == a && strlen(a) == 8);
    assert(strnlen(a, 3) == 3);
    return 0;
}
