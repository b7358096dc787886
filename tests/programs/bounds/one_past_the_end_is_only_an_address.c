// The address past the end is compared, not used.
// PROPERTY valid-deref
// EXPECT proved
int data[3];
int main(void) {
    for (int *p = data; p != data + 3; p++)
        *p = 1;
    return 0;
}
