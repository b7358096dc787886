// PROPERTY no-bad-shift
// EXPECT violated
int number = -1;

int main(void)
{
    return number << 0; // VIOLATION
}
