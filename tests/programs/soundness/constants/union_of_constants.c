// A union with constant members alone cannot be written.
// PROPERTY valid-deref
// EXPECT violated

union word { const int number; const unsigned char bytes[4]; };
static union word word = {1};

int main(void)
{
    int *number = (int *)&word.number;
    *number = 2; // VIOLATION
    return 0;
}
