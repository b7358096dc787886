// A missing value is reported, and there is none.
// EXPECT violated
#include <unistd.h>
#include <assert.h>

int main(void) {
    char program[] = "p", option[] = "-n";
    char *arguments[] = {program, option, 0};
    int found = getopt(2, arguments, "n:");
    assert(found == '?' && optopt == 'n');
    assert(optarg != 0); // VIOLATION
    return 0;
}
