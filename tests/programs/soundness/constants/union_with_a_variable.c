// A union with a constant member and another one may be written by way of the other, as far as it goes.
// PROPERTY valid-deref
// EXPECT proved

union word { const int fixed; int variable; };
struct pair { union word first; const int second; };
static struct pair pair = {{1}, 2};

int main(void)
{
    pair.first.variable = 3;
    return pair.second + pair.first.fixed;
}
