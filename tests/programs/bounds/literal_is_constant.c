// A string literal cannot be written to.
// PROPERTY valid-deref
// EXPECT violated
char *text = "ab";
int main(void) {
    text[0] = 'x'; // VIOLATION
    return 0;
}
