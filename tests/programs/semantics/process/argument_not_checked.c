// PROPERTY valid-deref
// EXPECT violated
int main(int argc, char **argv) {
    return argv[1][0]; // VIOLATION
}
