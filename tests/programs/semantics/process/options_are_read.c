// Options in a group, with a value, long ones, and an argument that stands between them.
// EXPECT proved
#include <getopt.h>
#include <assert.h>

int main(void) {
    static const struct option longs[] = {{"size", required_argument, 0, 's'}, {0, 0, 0, 0}};
    char group[] = "-vn", value[] = "7", name[] = "file", size[] = "--size=12", program[] = "p";
    char *arguments[] = {program, group, value, name, size, 0};
    assert(getopt_long(5, arguments, "vn:", longs, 0) == 'v');
    assert(getopt_long(5, arguments, "vn:", longs, 0) == 'n' && optarg[0] == '7');
    assert(getopt_long(5, arguments, "vn:", longs, 0) == 's' && optarg[0] == '1' && optarg[1] == '2');
    assert(getopt_long(5, arguments, "vn:", longs, 0) == -1);
    assert(optind == 4 && arguments[4] == name);
    return 0;
}
