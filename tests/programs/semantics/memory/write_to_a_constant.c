// PROPERTY valid-deref
// EXPECT violated
char *p = "text";

int main(void) {
    p[0] = 'T'; // VIOLATION
    return 0;
}
