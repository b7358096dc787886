/* Times of day. The structures of a user's function are filled by its own inputs, for which these are the questions. */
void __gordian_ask_time(void) {}
void __gordian_ask_gettimeofday(void *time, void *zone) {}
void __gordian_ask_clock_gettime(long clock, void *time) {}
void __gordian_ask_clock_getres(long clock, void *time) {}
void __gordian_ask_getrusage(long who, void *usage) {}
void __gordian_ask_localtime_r(const void *time, void *result) {}
void __gordian_ask_gmtime_r(const void *time, void *result) {}

/* When the timed operation that follows gives up. */
void __gordian_tell_deadline(const void *time) {}

struct __gordian_timespec {
    long seconds, nanoseconds;
};

extern int clock_gettime(int clock, struct __gordian_timespec *time);

int timespec_get(struct __gordian_timespec *time, int base)
{
    if (base != 1)
        return 0;
    clock_gettime(0, time);
    return base;
}

struct __gordian_tm {
    int second, minute, hour, day, month, year, day_of_week, day_of_year, is_dst;
    long offset;
    const char *zone;
};

extern struct __gordian_tm *localtime_r(const long *time, struct __gordian_tm *result);
extern struct __gordian_tm *gmtime_r(const long *time, struct __gordian_tm *result);

static struct __gordian_tm __gordian_broken_down;
struct __gordian_tm *localtime(const long *time) { return localtime_r(time, &__gordian_broken_down); }
struct __gordian_tm *gmtime(const long *time) { return gmtime_r(time, &__gordian_broken_down); }

static long __gordian_outside_mktime(const void *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_strftime(unsigned long size, const char *format, const void *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_ctime(const long *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_asctime(const void *time) { return __VERIFIER_nondet_long(); }

long mktime(struct __gordian_tm *time) { return __gordian_outside_mktime(time); }
double difftime(long later, long earlier) { return (double)(later - earlier); }

unsigned long strftime(char *target, unsigned long size, const char *format, const struct __gordian_tm *time)
{
    long length = __gordian_outside_strftime(size, format, time);
    if (length <= 0 || (unsigned long)length >= size)
        return 0;
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return (unsigned long)length;
}

static char *__gordian_date(char *target, long length)
{
    if (length <= 0 || length >= 26)
        return 0;
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return target;
}

static char __gordian_date_text[26];
char *ctime_r(const long *time, char *target) { return __gordian_date(target, __gordian_outside_ctime(time)); }
char *ctime(const long *time) { return __gordian_date(__gordian_date_text, __gordian_outside_ctime(time)); }
char *asctime_r(const struct __gordian_tm *time, char *target) { return __gordian_date(target, __gordian_outside_asctime(time)); }
char *asctime(const struct __gordian_tm *time) { return __gordian_date(__gordian_date_text, __gordian_outside_asctime(time)); }
