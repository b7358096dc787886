// Sizes, jumps and results use temporary objects while these live.
// PROPERTY valid-deref
// EXPECT proved
struct number { int value; };
struct numbers { struct number items[3]; };

static struct numbers make(int first) { return (struct numbers){{{first}, {2}, {1}}}; }

static int sum(struct number *items) { return items[0].value + items[1].value; }

static struct number last(void) { return make(3).items[2]; }

static int corner(int size, int matrix[][sum(make(size).items)]) { return matrix[0][size + 1]; }

int main(void)
{
    int grid[sum(make(0).items)][make(1).items[1].value];
    typedef int row[sum(make(1).items)];
    row numbers, matrix[1];
    grid[1][1] = sizeof(char[sum(make(2).items)]);
    numbers[2] = last().value;
    matrix[0][2] = ({ struct numbers own = make(1); own.items[0] = make(4).items[1]; own; }).items[0].value;
    void *target = &&end;
    goto *(sum(make(4).items) == 6 ? target : 0);
end:
    return grid[1][1] + numbers[2] + corner(1, matrix);
}
