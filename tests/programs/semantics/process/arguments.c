// The arguments are any, but argv ends with a null pointer.
// PROPERTY valid-deref
// EXPECT holds
// NATIVE no the name of the program differs
int main(int argc, char **argv) {
    if (argv[argc] != 0) return 1;
    return argc > 0 ? argv[0][0] : 0;
}
