// PROPERTY valid-free
// EXPECT proved
// The end of a variable-length array's life is no call of free.
int main(void)
{
    for (int i = 1; i < 3; i++) {
        char bytes[i];
        bytes[0] = 1;
    }
    return 0;
}
