// The product of index and size is a multiple of 2^64.
// PROPERTY valid-deref
// EXPECT violated
int numbers[4];

int main(void)
{
    long index = 1L << 62;
    numbers[index] = 1; // VIOLATION
    return 0;
}
