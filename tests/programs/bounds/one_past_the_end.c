// The last round writes past the end.
// PROPERTY valid-deref
// EXPECT violated
int data[3];
int main(void) {
    for (int i = 0; i <= 3; i++)
        data[i] = 1; // VIOLATION
    return 0;
}
