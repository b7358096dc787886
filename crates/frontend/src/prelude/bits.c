int __builtin_popcountll(unsigned long long x)
{
    int count = 0;
    while (x != 0) {
        x &= x - 1;
        count++;
    }
    return count;
}

int __builtin_popcount(unsigned int x) { return __builtin_popcountll(x); }
int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
int __builtin_parity(unsigned int x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }

int __builtin_ctzll(unsigned long long x)
{
    int count = 0;
    while ((x & 1) == 0 && count < 64) {
        x >>= 1;
        count++;
    }
    return count;
}

int __builtin_ctz(unsigned int x) { return __builtin_ctzll(x); }
int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }

int __builtin_clzll(unsigned long long x)
{
    int count = 0;
    while (count < 64 && (x >> (63 - count)) == 0)
        count++;
    return count;
}

int __builtin_clz(unsigned int x) { return __builtin_clzll(x) - 32; }
int __builtin_clzl(unsigned long x) { return __builtin_clzll(x) - (64 - 8 * (int)sizeof x); }

int __builtin_clrsbll(long long x) { return __builtin_clzll(x < 0 ? ~x : x) - 1; }
int __builtin_clrsb(int x) { return __builtin_clrsbll(x) - 32; }
int __builtin_clrsbl(long x) { return __builtin_clrsbll(x) - (64 - 8 * (int)sizeof x); }

int __builtin_ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll(x) + 1; }
int __builtin_ffs(int x) { return x == 0 ? 0 : __builtin_ctzll((unsigned int)x) + 1; }
int __builtin_ffsl(long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long)x) + 1; }
int ffs(int x) { return x == 0 ? 0 : __builtin_ctzll((unsigned int)x) + 1; }

unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x >> 8 | x << 8); }

unsigned int __builtin_bswap32(unsigned int x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

unsigned long long __builtin_bswap64(unsigned long long x)
{
    return (unsigned long long)__builtin_bswap32((unsigned int)x) << 32 | __builtin_bswap32((unsigned int)(x >> 32));
}
