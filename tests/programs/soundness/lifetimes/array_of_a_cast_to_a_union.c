// PROPERTY valid-deref
// EXPECT violated
union word {
    long number;
    char bytes[8];
};

int main(void)
{
    char *bytes = ((union word)5L).bytes;
    return *bytes; // VIOLATION
}
