/* Times of day. The structures of a user's function are filled by its own inputs, for which these are the questions. */
void __gordian_ask_time(void) {}
void __gordian_ask_gettimeofday(void *time, void *zone) {}
void __gordian_ask_clock_getres(long long clock, void *time) {}
void __gordian_ask_getrusage(long long who, void *usage) {}
void __gordian_ask_localtime_r(const void *time, void *result) {}
void __gordian_ask_gmtime_r(const void *time, void *result) {}

/* When the timed operation that follows gives up. */
void __gordian_tell_deadline(const void *time) {}

/* Whether a timed wait that no signal has ended ends before its time. */
int __gordian_wakes_up_spuriously(void) { return __VERIFIER_nondet_int() != 0; }

/* Whether the time was over before the signal came that has ended a timed wait. */
int __gordian_is_too_late(void) { return __VERIFIER_nondet_int() != 0; }

extern void __gordian_yield(void);

struct __gordian_timespec {
    long seconds, nanoseconds;
};

/* Whether the time until which to wait is one, be it in the past. */
int __gordian_is_deadline(const struct __gordian_timespec *time)
{
    long nanoseconds = time->nanoseconds;
    (void)time->seconds;
    return nanoseconds >= 0 && nanoseconds <= 999999999;
}

/* Whether one can sleep for so long. */
static int __gordian_is_time(const struct __gordian_timespec *time)
{
    long seconds = time->seconds, nanoseconds = time->nanoseconds;
    return seconds >= 0 && nanoseconds >= 0 && nanoseconds <= 999999999;
}

/* Clocks that never go back, as seconds and nanoseconds in one number. What happens between two looks at a clock is added to
   it; that orders nothing. */
static unsigned long long __gordian_clocks[12];
static __thread unsigned long long __gordian_thread_clock;
static unsigned long long __gordian_processor_time;
static unsigned long long __gordian_outside_elapsed(int clock, unsigned long long *before) { return __VERIFIER_nondet_ulonglong(); }

static unsigned long long __gordian_outside_time(int clock) { return __VERIFIER_nondet_ulonglong(); }

static unsigned long long __gordian_later(int clock, unsigned long long *before)
{
    unsigned long long elapsed = __gordian_outside_elapsed(clock, before) & 0x1ffffffffffffff;
    return __atomic_fetch_add(before, elapsed, 0) + elapsed;
}

int clock_gettime(int clock, struct __gordian_timespec *time)
{
    unsigned long long now;
    if (clock < 0 || clock > 11) {
        *__errno_location() = 22;
        return -1;
    }
    if (clock == 0 || clock == 5 || clock == 8 || clock == 11)
        now = __gordian_outside_time(clock);
    else if (clock == 3)
        now = __gordian_later(clock, &__gordian_thread_clock);
    else
        now = __gordian_later(clock, &__gordian_clocks[clock]);
    unsigned long long seconds = now >> 30, most = sizeof(long) == 8 ? 0xffffffff : 0x7fffffff;
    long nanoseconds = (long)(now & 0x3fffffff);
    time->seconds = (long)(seconds < most ? seconds : most);
    time->nanoseconds = nanoseconds <= 999999999 ? nanoseconds : 999999999;
    return 0;
}

/* Time of the processor never goes back. */
long clock(void)
{
    unsigned long long now = __gordian_later(-1, &__gordian_processor_time);
    unsigned long long most = sizeof(long) == 8 ? 0xffffffffffff : 0x7fffffff;
    return (long)(now < most ? now : most);
}

/* 0, or the number of an error. No signal arrives, so that nothing is left to sleep. */
static int __gordian_sleep(const struct __gordian_timespec *time)
{
    if (!__gordian_is_time(time))
        return 22;
    __gordian_yield();
    return 0;
}

int nanosleep(const struct __gordian_timespec *time, struct __gordian_timespec *left)
{
    int error = __gordian_sleep(time);
    if (error == 0)
        return 0;
    *__errno_location() = error;
    return -1;
}

int clock_nanosleep(int clock, int flags, const struct __gordian_timespec *time, struct __gordian_timespec *left)
{
    if (clock < 0 || clock > 11 || clock == 3)
        return 22;
    return __gordian_sleep(time);
}

int thrd_sleep(const struct __gordian_timespec *time, struct __gordian_timespec *left)
{
    int error = __gordian_sleep(time);
    return error == 0 ? 0 : -2;
}

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
static int __gordian_within(int value, int low, int high) { return value >= low && value <= high ? value : low; }
static long __gordian_outside_strftime(unsigned long size, const char *format, const void *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_ctime(const long *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_asctime(const void *time) { return __VERIFIER_nondet_long(); }

/* The structure is brought into its ranges. */
long mktime(struct __gordian_tm *time)
{
    struct __gordian_tm copy = *time;
    long seconds = __gordian_outside_mktime(time);
    long least = sizeof(long) == 8 ? -67768040609740800 : -2147483647 - 1;
    long most = sizeof(long) == 8 ? 67768036191676799 : 2147483647;
    if (seconds < least || seconds > most)
        return -1;
    copy.second = __gordian_within(__VERIFIER_nondet_int(), 0, 60);
    copy.minute = __gordian_within(__VERIFIER_nondet_int(), 0, 59);
    copy.hour = __gordian_within(__VERIFIER_nondet_int(), 0, 23);
    copy.day = __gordian_within(__VERIFIER_nondet_int(), 1, 31);
    copy.month = __gordian_within(__VERIFIER_nondet_int(), 0, 11);
    copy.year = __VERIFIER_nondet_int();
    copy.day_of_week = __gordian_within(__VERIFIER_nondet_int(), 0, 6);
    copy.day_of_year = __gordian_within(__VERIFIER_nondet_int(), 0, 365);
    copy.is_dst = __gordian_within(__VERIFIER_nondet_int(), 0, 1);
    *time = copy;
    return seconds;
}

double difftime(long later, long earlier) { return later >= earlier ? (double)((unsigned long)later - (unsigned long)earlier) : -(double)((unsigned long)earlier - (unsigned long)later); }

unsigned long strftime(char *target, unsigned long size, const char *format, const struct __gordian_tm *time)
{
    struct __gordian_tm copy = *time;
    (void)copy;
    __gordian_read_string(format, (unsigned long)-1);
    long length = __gordian_outside_strftime(size, format, time);
    if (length <= 0 || (unsigned long)length >= size)
        return 0;
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return (unsigned long)length;
}

/* "Www Mmm dd hh:mm:ss yyyy\n"; null if the year has more than four digits. */
static char *__gordian_date(char *target, long length)
{
    if (length < 0)
        return 0;
    for (long i = 0; i < 24; i++) {
        char c = (char)__gordian_outside_bytes(i);
        target[i] = c != 0 ? c : ' ';
    }
    target[24] = '\n';
    target[25] = 0;
    return target;
}

static char __gordian_date_text[26];
static long __gordian_time_at(const long *time) { return *time; }

char *ctime_r(const long *time, char *target)
{
    long seconds = __gordian_time_at(time), length = __gordian_outside_ctime(time);
    return __gordian_date(target, seconds >= 0 && seconds <= 0xffffffff ? 25 : length);
}

char *ctime(const long *time) { return ctime_r(time, __gordian_date_text); }

char *asctime_r(const struct __gordian_tm *time, char *target)
{
    struct __gordian_tm copy = *time;
    long length = __gordian_outside_asctime(time);
    return __gordian_date(target, copy.year >= -900 && copy.year <= 8099 ? 25 : length);
}

char *asctime(const struct __gordian_tm *time) { return asctime_r(time, __gordian_date_text); }
