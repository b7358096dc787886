/* Times of day. The structures of a user's function are filled by its own inputs, for which these are the questions. */
void __gordian_ask_time(void) {}
void __gordian_ask_gettimeofday(void *time, void *zone) {}
void __gordian_ask_localtime_r(const void *time, void *result) {}

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
   it; that orders nothing. At the end of time they stand still. */
static unsigned long long __gordian_clocks[12];
static __thread unsigned long long __gordian_thread_clock;
static unsigned long long __gordian_processor_time;
static unsigned long long __gordian_outside_elapsed(int clock, unsigned long long *before) { return __VERIFIER_nondet_ulonglong(); }

static unsigned long long __gordian_outside_time(int clock) { return __VERIFIER_nondet_ulonglong(); }

static unsigned long long __gordian_forward(unsigned long long *before, unsigned long long elapsed)
{
    elapsed = elapsed & 0x1ffffffffffffff;
    unsigned long long now = __atomic_fetch_add(before, elapsed, 0) + elapsed, last = 1ull << 62;
    if (now <= last)
        return now;
    __atomic_store_n(before, last, 0);
    return last;
}

static unsigned long long __gordian_later(int clock, unsigned long long *before)
{
    return __gordian_forward(before, __gordian_outside_elapsed(clock, before));
}

/* Linux has no clock 10. */
static int __gordian_is_clock(int clock) { return clock >= 0 && clock <= 11 && clock != 10; }

int clock_gettime(int clock, struct __gordian_timespec *time)
{
    unsigned long long now;
    if (!__gordian_is_clock(clock)) {
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
    time->nanoseconds = nanoseconds <= 999999999 && seconds <= most ? nanoseconds : 999999999;
    return 0;
}

/* A clock has one resolution, less than a second; zero while nobody has asked. */
static unsigned __gordian_resolutions[12];
static unsigned __gordian_outside_resolution(int clock) { return (unsigned)__VERIFIER_nondet_int(); }

int clock_getres(int clock, struct __gordian_timespec *time)
{
    if (!__gordian_is_clock(clock)) {
        *__errno_location() = 22;
        return -1;
    }
    if (time == 0)
        return 0;
    unsigned chosen = __gordian_outside_resolution(clock), none = 0;
    if (chosen == 0 || chosen > 999999999)
        chosen = 1;
    int is_first = __atomic_compare_exchange_n(&__gordian_resolutions[clock], &none, chosen, 0, 0, 0);
    time->seconds = 0;
    time->nanoseconds = (long)(is_first ? chosen : none);
    return 0;
}

/* What the children, the process and a thread have used so far. Times are seconds and microseconds in one number. */
struct __gordian_usage {
    long times[4], others[14];
};
static unsigned long long __gordian_used[2][16];
static __thread unsigned long long __gordian_used_by_thread[16];
static unsigned long long __gordian_outside_used(int who, int what, unsigned long long *before) { return __VERIFIER_nondet_ulonglong(); }

static unsigned long long __gordian_use(int who, int what)
{
    unsigned long long *before = who == 1 ? &__gordian_used_by_thread[what] : &__gordian_used[who + 1][what];
    return __gordian_forward(before, __gordian_outside_used(who, what, before));
}

int getrusage(int who, struct __gordian_usage *usage)
{
    if (who < -1 || who > 1) {
        *__errno_location() = 22;
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        unsigned long long time = __gordian_use(who, i), seconds = time >> 30, rest = time & 0x3fffffff;
        unsigned long long most = sizeof(long) == 8 ? 0xffffffff : 0x7fffffff;
        usage->times[2 * i] = (long)(seconds < most ? seconds : most);
        usage->times[2 * i + 1] = (long)(rest <= 999999 && seconds <= most ? rest : 999999);
    }
    for (int i = 0; i < 14; i++) {
        unsigned long long used = __gordian_use(who, i + 2), most = sizeof(long) == 8 ? 1ull << 40 : 0x7fffffff;
        usage->others[i] = (long)(used < most ? used : most);
    }
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
    if (!__gordian_is_clock(clock) || clock == 3)
        return 22;
    if (clock == 4 || clock == 5 || clock == 6 || clock == 8 || clock == 9)
        return 95;
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
/* The date so many days and seconds after 1 March of the year 400 * era, and where in the year and in the week it lies. Null
   if the year is no int. */
static struct __gordian_tm *__gordian_date_of(struct __gordian_tm *result, long long era, unsigned day, unsigned second, int day_of_week)
{
    unsigned year = (day - day / 1460u + day / 36524u - day / 146096u) / 365u;
    unsigned in_year = day - (365u * year + year / 4u - year / 100u), month = (5u * in_year + 2u) / 153u;
    int is_leap = year % 4u == 0 && (year % 100u != 0 || year == 0);
    long long whole = era * 400 + year + (month >= 10u) - 1900;
    if (whole < -2147483647 - 1 || whole > 2147483647) {
        *__errno_location() = 75;
        return 0;
    }
    struct __gordian_tm date = {0};
    date.second = (int)(second % 60u);
    date.minute = (int)(second / 60u % 60u);
    date.hour = (int)(second / 3600u);
    date.day = (int)(in_year - (153u * month + 2u) / 5u + 1u);
    date.month = (int)(month < 10u ? month + 2u : month - 10u);
    date.year = (int)whole;
    date.day_of_week = day_of_week;
    date.day_of_year = month < 10u ? (int)in_year + 59 + is_leap : (int)in_year - 306;
    date.zone = "GMT";
    *result = date;
    return result;
}

/* The date where the clocks are ahead by so many seconds, at most a day. Most times need few digits, and dividing these is
   easier to reason about. */
static struct __gordian_tm *__gordian_date_at(long long seconds, int ahead, struct __gordian_tm *result)
{
    if (seconds >= 0 && seconds <= 0xffffffff) {
        unsigned shifted = (unsigned)seconds / 86400u + 719468u;
        int rest = (int)((unsigned)seconds % 86400u) + ahead;
        if (rest < 0) {
            rest += 86400;
            shifted--;
        } else if (rest >= 86400) {
            rest -= 86400;
            shifted++;
        }
        return __gordian_date_of(result, shifted / 146097u, shifted % 146097u, (unsigned)rest, (int)((shifted + 3u) % 7u));
    }
    seconds += ahead;
    long long days = seconds / 86400, rest = seconds % 86400;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    long long shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    return __gordian_date_of(result, era, (unsigned)(shifted - era * 146097), (unsigned)rest, (int)((days % 7 + 11) % 7));
}

/* What the zone is follows from the environment. */
static void __gordian_look_at_zone(void) { char hidden = __gordian_environment; }

struct __gordian_tm *gmtime_r(const long *time, struct __gordian_tm *result)
{
    __gordian_look_at_zone();
    return __gordian_date_at(*time, 0, result);
}

/* The name of a zone is some text. */
static const char *__gordian_zone_name(const char *any) { return any != 0 ? any : "UTC"; }

/* A date whose fields were chosen, each in its range: the month has its days, and the day its number in the year. Of years
   that no clock shows it is not said which are leap years. */
void __gordian_settle_date(struct __gordian_tm *date)
{
    static const short before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int month = date->month, day = date->day, is_leap = (date->year & 3) == 0 && date->year != 200;
    if (date->year < 1 || date->year > 207)
        is_leap = date->day_of_year & 1;
    int days = month == 1 ? 28 + is_leap : 31 - ((month < 7 ? month : month - 7) & 1);
    if (day > days)
        day = days;
    date->day = day;
    date->day_of_year = before[month] + (month > 1 && is_leap) + day - 1;
    date->zone = __gordian_zone_name(date->zone);
}

static struct __gordian_tm __gordian_broken_down;
void tzset(void) { __gordian_look_at_zone(); }

struct __gordian_tm *localtime(const long *time) { return localtime_r(time, &__gordian_broken_down); }
struct __gordian_tm *gmtime(const long *time) { return gmtime_r(time, &__gordian_broken_down); }

static long __gordian_outside_mktime(const void *time) { return __VERIFIER_nondet_long(); }
static int __gordian_within(int value, int low, int high) { return value >= low && value <= high ? value : low; }
static long __gordian_outside_strftime(unsigned long size, const char *format, const void *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_ctime(const long *time) { return __VERIFIER_nondet_long(); }
static long __gordian_outside_asctime(const void *time) { return __VERIFIER_nondet_long(); }

/* Whether the fields are so small that all seconds of the date can be counted with 32 bits but for the days. */
static int __gordian_is_ordinary(const struct __gordian_tm *time)
{
    return time->year >= -1000 && time->year <= 1000 && time->month >= -600 && time->month <= 600 && time->day >= -10000 &&
           time->day <= 10000 && time->hour >= -100000 && time->hour <= 100000 && time->minute >= -1000000 &&
           time->minute <= 1000000 && time->second >= -100000000 && time->second <= 100000000;
}

/* The seconds from 1970 to an ordinary date, where the clocks show the time of Greenwich. */
static long long __gordian_seconds_at(const struct __gordian_tm *time)
{
    unsigned months = (unsigned)(time->year + 1900) * 12u + (unsigned)(time->month + 1200) - 1202u;
    unsigned year = months / 12u, month = months % 12u;
    int days = (int)(365u * year + year / 4u - year / 100u + year / 400u + (153u * month + 2u) / 5u) - 719469 + time->day;
    return days * 86400ll + (time->hour * 3600 + time->minute * 60 + time->second);
}

/* What the zone makes of an ordinary date: the clocks may be ahead by up to a day, and another day may be left out or counted
   twice. */
static long __gordian_ordinary_mktime(struct __gordian_tm *time, long seconds)
{
    long long exact = __gordian_seconds_at(time);
    int moved = __gordian_choice(), is_dst = __gordian_choice() != 0;
    const char *zone;
    if (seconds < exact - 86400 || seconds > exact + 86400)
        seconds = (long)exact;
    if (moved < -86400 || moved > 86400)
        moved = 0;
    if (moved + exact - seconds < -86400 || moved + exact - seconds > 86400)
        moved = 0;
    __gordian_date_at(exact, moved, time);
    time->is_dst = is_dst;
    time->offset = (long)(exact + moved - seconds);
    time->zone = __gordian_zone_name(zone);
    return seconds;
}

/* The structure is brought into its ranges. */
long mktime(struct __gordian_tm *time)
{
    struct __gordian_tm copy = *time;
    const char *zone;
    __gordian_look_at_zone();
    long seconds = __gordian_outside_mktime(time);
    if (__gordian_is_ordinary(&copy) && sizeof(long) == 8) {
        seconds = __gordian_ordinary_mktime(&copy, seconds);
        *time = copy;
        return seconds;
    }
    long least = sizeof(long) == 8 ? -67768040609740800 : -2147483647 - 1;
    long most = sizeof(long) == 8 ? 67768036191676799 : 2147483647;
    if (seconds < least || seconds > most) {
        *__errno_location() = 75;
        return -1;
    }
    copy.second = __gordian_within(__VERIFIER_nondet_int(), 0, 60);
    copy.minute = __gordian_within(__VERIFIER_nondet_int(), 0, 59);
    copy.hour = __gordian_within(__VERIFIER_nondet_int(), 0, 23);
    copy.day = __gordian_within(__VERIFIER_nondet_int(), 1, 31);
    copy.month = __gordian_within(__VERIFIER_nondet_int(), 0, 11);
    copy.year = __VERIFIER_nondet_int();
    copy.day_of_week = __gordian_within(__VERIFIER_nondet_int(), 0, 6);
    copy.day_of_year = __gordian_within(__VERIFIER_nondet_int(), 0, 365);
    copy.is_dst = __gordian_within(__VERIFIER_nondet_int(), 0, 1);
    copy.offset = __gordian_within(__VERIFIER_nondet_int(), -86400, 86400);
    copy.zone = __gordian_zone_name(zone);
    *time = copy;
    return seconds;
}

double difftime(long later, long earlier) { return later >= earlier ? (double)((unsigned long)later - (unsigned long)earlier) : -(double)((unsigned long)earlier - (unsigned long)later); }

static const char *const __gordian_days[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const __gordian_months[12] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                                "September", "October", "November", "December"};

static int __gordian_is_date(const struct __gordian_tm *date, int first_year, int last_year)
{
    return date->second >= 0 && date->second <= 60 && date->minute >= 0 && date->minute <= 59 && date->hour >= 0 &&
           date->hour <= 23 && date->day >= 1 && date->day <= 31 && date->month >= 0 && date->month <= 11 &&
           date->year >= first_year && date->year <= last_year && date->day_of_week >= 0 && date->day_of_week <= 6 &&
           date->day_of_year >= 0 && date->day_of_year <= 365;
}

/* What conversions stand for that consist of others. */
static const char *__gordian_parts_of(char conversion)
{
    switch (conversion) {
    case 'c': return "%a %b %e %H:%M:%S %Y";
    case 'x': case 'D': return "%m/%d/%y";
    case 'X': case 'T': return "%H:%M:%S";
    case 'F': return "%Y-%m-%d";
    case 'R': return "%H:%M";
    case 'r': return "%I:%M:%S %p";
    default: return 0;
    }
}

/* One conversion in the locale "C"; (unsigned long)-1 if it is none of these. */
static unsigned long __gordian_put_part(char *target, unsigned long size, unsigned long at, char conversion, const struct __gordian_tm *date)
{
    int hour = date->hour % 12 == 0 ? 12 : date->hour % 12, year = date->year + 1900;
    switch (conversion) {
    case '%': return __gordian_put_char(target, size, at, '%');
    case 'n': return __gordian_put_char(target, size, at, '\n');
    case 't': return __gordian_put_char(target, size, at, '\t');
    case 'Y': return __gordian_put_int(target, size, at, year, 0, 0);
    case 'C': return __gordian_put_int(target, size, at, year / 100, 2, 1);
    case 'y': return __gordian_put_int(target, size, at, year % 100, 2, 1);
    case 'm': return __gordian_put_int(target, size, at, date->month + 1, 2, 1);
    case 'd': return __gordian_put_int(target, size, at, date->day, 2, 1);
    case 'e': return __gordian_put_int(target, size, at, date->day, 2, 0);
    case 'H': return __gordian_put_int(target, size, at, date->hour, 2, 1);
    case 'I': return __gordian_put_int(target, size, at, hour, 2, 1);
    case 'M': return __gordian_put_int(target, size, at, date->minute, 2, 1);
    case 'S': return __gordian_put_int(target, size, at, date->second, 2, 1);
    case 'j': return __gordian_put_int(target, size, at, date->day_of_year + 1, 3, 1);
    case 'u': return __gordian_put_int(target, size, at, date->day_of_week == 0 ? 7 : date->day_of_week, 0, 0);
    case 'w': return __gordian_put_int(target, size, at, date->day_of_week, 0, 0);
    case 'p': return __gordian_put_string(target, size, at, date->hour < 12 ? "AM" : "PM", 2, 0);
    case 'a': return __gordian_put_string(target, size, at, __gordian_days[date->day_of_week], 3, 0);
    case 'A': return __gordian_put_string(target, size, at, __gordian_days[date->day_of_week], 9, 0);
    case 'b': case 'h': return __gordian_put_string(target, size, at, __gordian_months[date->month], 3, 0);
    case 'B': return __gordian_put_string(target, size, at, __gordian_months[date->month], 9, 0);
    default: return (unsigned long)-1;
    }
}

static unsigned long __gordian_put_parts(char *target, unsigned long size, unsigned long at, const char *format, const struct __gordian_tm *date)
{
    for (; *format != 0 && at != (unsigned long)-1; format++) {
        if (*format != '%')
            at = __gordian_put_char(target, size, at, *format);
        else
            at = __gordian_put_part(target, size, at, *++format, date);
    }
    return at;
}

/* What does not fit leaves anything behind. */
static unsigned long __gordian_no_text(char *target, unsigned long size)
{
    __gordian_fill_bytes(target, size);
    return 0;
}

/* Of a text that is not put together here anything is possible only if the time zone is part of it. */
static void __gordian_need_open_text(const char *format)
{
    for (const char *f = format; *f != 0; f++)
        if (*f == '%' && *++f != 0 && (*f == 'Z' || *f == 'z' || *f == 's'))
            return;
    __gordian_unsupported("`strftime` with this format");
}

unsigned long strftime(char *target, unsigned long size, const char *format, const struct __gordian_tm *time)
{
    struct __gordian_tm date = *time;
    unsigned long at = 0;
    __gordian_look_at_zone();
    __gordian_need_c_locale();
    __gordian_read_string(format, (unsigned long)-1);
    long length = __gordian_outside_strftime(size, format, time);
    if (__gordian_is_date(&date, -1900, 2147481747)) {
        for (const char *f = format; *f != 0 && at != (unsigned long)-1; f++) {
            const char *parts = *f == '%' ? __gordian_parts_of(f[1]) : 0;
            if (*f != '%') {
                at = __gordian_put_char(target, size, at, *f);
                continue;
            }
            f++;
            at = parts ? __gordian_put_parts(target, size, at, parts, &date) : __gordian_put_part(target, size, at, *f, &date);
        }
        if (at != (unsigned long)-1) {
            if (at >= size)
                return __gordian_no_text(target, size);
            target[at] = 0;
            return at;
        }
        __gordian_need_open_text(format);
    }
    if (length <= 0 || (unsigned long)length >= size)
        return __gordian_no_text(target, size);
    __gordian_take_bytes(target, length);
    target[length] = 0;
    return (unsigned long)length;
}

/* Some "Www Mmm dd hh:mm:ss yyyy\n"; null if the year has more than four digits. */
static char *__gordian_date(char *target, long length)
{
    if (length < 0) {
        *__errno_location() = 75;
        return 0;
    }
    const char *low = "Aaa Aaa 00 00:00:00 0000", *high = "Zzz Zzz 39 29:59:69 9999";
    for (long i = 0; i < 24; i++) {
        char c = (char)__gordian_outside_bytes(i);
        target[i] = c >= low[i] && c <= high[i] || i == 8 && c == ' ' ? c : low[i];
    }
    target[24] = '\n';
    target[25] = 0;
    return target;
}

static char __gordian_date_text[26];

char *asctime_r(const struct __gordian_tm *time, char *target)
{
    struct __gordian_tm copy = *time;
    long length = __gordian_outside_asctime(time);
    if (!__gordian_is_date(&copy, -900, 8099))
        return __gordian_date(target, copy.year >= -900 && copy.year <= 8099 ? 25 : length);
    target[__gordian_put_parts(target, 26, 0, "%a %b %e %H:%M:%S %Y%n", &copy)] = 0;
    return target;
}

char *asctime(const struct __gordian_tm *time) { return asctime_r(time, __gordian_date_text); }

static long __gordian_time_at(const long *time) { return *time; }

char *ctime_r(const long *time, char *target)
{
    long seconds = __gordian_time_at(time), length = __gordian_outside_ctime(time);
    __gordian_look_at_zone();
    return __gordian_date(target, seconds >= 0 && seconds <= 0xffffffff ? 25 : length);
}

/* asctime(localtime(time)), which has an effect on the structure that localtime returns. */
char *ctime(const long *time)
{
    localtime(time);
    return ctime_r(time, __gordian_date_text);
}
