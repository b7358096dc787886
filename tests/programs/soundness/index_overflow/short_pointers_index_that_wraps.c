// The product of index and size is 2^32.
// PROPERTY valid-deref
// EXPECT violated
// OPTION ilp32
int numbers[4];

int main(void)
{
    int index = 0x40000000;
    numbers[index] = 1; // VIOLATION
    return 0;
}
