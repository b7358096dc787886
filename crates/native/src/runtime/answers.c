/* Answers to the questions of `prelude/input.c` and `prelude/time.c`: they wait for the thread until the inputs that
   follow the question take them, numbers one by one and texts one by one. */

enum { GR_MOST_ANSWERS = 24 };
struct gr_scanned {
    char *bytes;
    size_t length;
};
static __thread u64 gr_answer[GR_MOST_ANSWERS];
static __thread unsigned gr_answers, gr_answers_taken;
static __thread struct gr_scanned gr_text_answer[GR_MOST_ANSWERS];
static __thread unsigned gr_text_answers, gr_text_answers_taken;

static GR_UNUSED int gr_has_answer(void) { return gr_answers_taken < gr_answers; }
static GR_UNUSED u64 gr_take_answer(void) { return gr_answer[gr_answers_taken++]; }

static GR_UNUSED void gr_say(u64 value)
{
    if (gr_answers < GR_MOST_ANSWERS)
        gr_answer[gr_answers++] = value;
}

static GR_UNUSED void gr_begin_answers(void)
{
    while (gr_text_answers > 0)
        free(gr_text_answer[--gr_text_answers].bytes);
    gr_answers = gr_answers_taken = gr_text_answers_taken = 0;
}

static GR_UNUSED u64 gr_outside_scanned(void)
{
    if (gr_text_answers_taken == gr_text_answers)
        return 0;
    struct gr_scanned *text = &gr_text_answer[gr_text_answers_taken++];
    return gr_hold_text(text->bytes, text->length);
}

/* What one conversion of a format stores; `size` is the size of a number, or the room for characters. */
struct gr_conversion {
    char kind;
    size_t size;
    int width;
    void *target;
};

enum { GR_LONGEST_WORD = 65535 };

static size_t gr_number_size(const char *from, const char *to, char kind)
{
    int real = strchr("fFeEgGaA", kind) != NULL, longs = 0, shorts = 0;
    for (; from < to; from++) {
        longs += *from == 'l' ? 1 : *from == 'q' || *from == 'j' ? 2 : 0;
        shorts += *from == 'h';
        if (*from == 'z' || *from == 't')
            return sizeof(size_t);
    }
    if (real)
        return longs ? sizeof(double) : sizeof(float);
    if (shorts)
        return shorts > 1 ? sizeof(char) : sizeof(short);
    return longs == 0 ? sizeof(int) : longs == 1 ? sizeof(long) : sizeof(long long);
}

/* Reads the conversions of a format, and writes it again with a width for every word. */
static unsigned gr_read_format(const char *format, char *copy, struct gr_conversion *conversions)
{
    unsigned count = 0;
    while (*format) {
        char c = *copy++ = *format++;
        if (c != '%')
            continue;
        if (*format == '%') {
            *copy++ = *format++;
            continue;
        }
        int suppressed = *format == '*', width = 0;
        if (suppressed)
            *copy++ = *format++;
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*copy++ = *format) - '0';
        const char *modifiers = format;
        format += strspn(format, "hljztq");
        char kind = *format;
        if ((kind == 's' || kind == '[') && width == 0)
            copy += sprintf(copy, "%d", width = GR_LONGEST_WORD);
        memcpy(copy, modifiers, (size_t)(format - modifiers));
        copy += format - modifiers;
        if (!suppressed && count == GR_MOST_ANSWERS - 4)
            gr_unsupported("a format with so many conversions");
        if (!suppressed) {
            int text = kind == 's' || kind == '[' || kind == 'c';
            size_t size = text ? (size_t)(width ? width : 1) + 1 : gr_number_size(modifiers, format, kind);
            conversions[count] = (struct gr_conversion){kind, size, width, calloc(size < 16 ? 16 : size, 1)};
            /* A position that is not stored stays negative. */
            if (kind == 'n')
                memset(conversions[count].target, 0xff, size);
            count++;
        }
        *copy++ = *format++;
        if (kind == '[') {
            if (*format == '^')
                *copy++ = *format++;
            do
                *copy++ = *format++;
            while (*format && *format != ']');
        }
    }
    *copy = 0;
    return count;
}

static void gr_say_scanned(struct gr_conversion *conversion)
{
    const void *target = conversion->target;
    char kind = conversion->kind;
    if (kind == 's' || kind == '[' || (kind == 'c' && conversion->width > 1)) {
        size_t length = kind == 'c' ? (size_t)conversion->width : strlen(target);
        char *bytes = malloc(length + 1);
        if (!bytes)
            gr_fail("there is no memory");
        memcpy(bytes, target, length);
        gr_text_answer[gr_text_answers++] = (struct gr_scanned){bytes, length};
        return;
    }
    int is_signed = kind == 'd' || kind == 'i' || kind == 'n';
    switch (kind == 'c' ? 1 : conversion->size) {
    case 1: gr_say(is_signed ? (u64) * (const i8 *)target : *(const u8 *)target); break;
    case 2: gr_say(is_signed ? (u64) * (const i16 *)target : *(const u16 *)target); break;
    case 4: gr_say(is_signed ? (u64) * (const i32 *)target : *(const u32 *)target); break;
    default: gr_say(*(const u64 *)target);
    }
}

static void gr_scan(FILE *file, const char *format)
{
    struct gr_conversion conversions[GR_MOST_ANSWERS] = {{0}};
    char *copy = malloc(strlen(format) * 7 + 1);
    if (!copy)
        gr_fail("there is no memory");
    unsigned count = gr_read_format(format, copy, conversions);
    void *p[20];
    for (int i = 0; i < 20; i++)
        p[i] = conversions[i].target;
    int stored = -1;
    if (file)
        stored = fscanf(file, copy, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12],
                        p[13], p[14], p[15], p[16], p[17], p[18], p[19]);
    gr_say((u64)(i64)stored);
    int before = 0;
    for (unsigned i = 0; i < count; i++) {
        int position = conversions[i].kind == 'n';
        if (position || before < stored)
            gr_say_scanned(&conversions[i]);
        before += !position;
        free(conversions[i].target);
    }
    free(copy);
}

static GR_UNUSED void gr_ask_scanf(ptr format) { gr_scan(stdin, (const char *)format); }
static GR_UNUSED void gr_ask_fscanf(u32 stream, ptr format) { gr_scan(gr_stream_of(stream), (const char *)format); }

static GR_UNUSED void gr_ask_getpid(void) { gr_say((u64)getpid()); }
static GR_UNUSED void gr_ask_getppid(void) { gr_say((u64)getppid()); }
static GR_UNUSED void gr_ask_getuid(void) { gr_say((u64)getuid()); }
static GR_UNUSED void gr_ask_geteuid(void) { gr_say((u64)geteuid()); }
static GR_UNUSED void gr_ask_getgid(void) { gr_say((u64)getgid()); }
static GR_UNUSED void gr_ask_getegid(void) { gr_say((u64)getegid()); }
static GR_UNUSED void gr_ask_sysconf(i64 name) { gr_say((u64)sysconf((int)name)); }
static GR_UNUSED void gr_ask_get_nprocs(void) { gr_say((u64)sysconf(_SC_NPROCESSORS_ONLN)); }
static GR_UNUSED void gr_ask_get_nprocs_conf(void) { gr_say((u64)sysconf(_SC_NPROCESSORS_CONF)); }

static GR_UNUSED void gr_ask_time(void) { gr_say((u64)time(NULL)); }

static GR_UNUSED void gr_ask_gettimeofday(ptr time, ptr zone)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    if (time) {
        gr_say((u64)now.tv_sec);
        gr_say((u64)now.tv_usec);
    }
    if (zone) {
        gr_say(0);
        gr_say(0);
    }
}

static void gr_say_time(struct timespec time)
{
    gr_say((u64)time.tv_sec);
    gr_say((u64)time.tv_nsec);
}

/* Zero and the members in the order of the structure, or -1. */
static void gr_say_status(int result, const struct stat *status)
{
    gr_say((u64)(i64)result);
    if (result != 0)
        return;
#if defined(__x86_64__)
    u64 members[] = {status->st_dev, status->st_ino, status->st_nlink, status->st_mode, status->st_uid,
                     status->st_gid, 0, status->st_rdev, (u64)status->st_size, (u64)status->st_blksize,
                     (u64)status->st_blocks};
#elif defined(__i386__)
    u64 members[] = {status->st_dev, 0, status->st_ino, status->st_mode, status->st_nlink, status->st_uid,
                     status->st_gid, status->st_rdev, 0, (u64)status->st_size, (u64)status->st_blksize,
                     (u64)status->st_blocks};
#else
    u64 members[] = {0};
    gr_unsupported("stat on this machine");
#endif
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        gr_say(members[i]);
    gr_say_time(status->st_atim);
    gr_say_time(status->st_mtim);
    gr_say_time(status->st_ctim);
}

static GR_UNUSED void gr_ask_stat(ptr path, ptr target)
{
    struct stat status;
    (void)target;
    gr_say_status(stat((const char *)path, &status), &status);
}

static GR_UNUSED void gr_ask_stat64(ptr path, ptr target) { gr_ask_stat(path, target); }

static GR_UNUSED void gr_ask_lstat(ptr path, ptr target)
{
    struct stat status;
    (void)target;
    gr_say_status(lstat((const char *)path, &status), &status);
}

static GR_UNUSED void gr_ask_fstat(i64 descriptor, ptr target)
{
    struct stat status;
    (void)target;
    gr_say_status(fstat((int)descriptor, &status), &status);
}

static GR_UNUSED void gr_ask_fstat64(i64 descriptor, ptr target) { gr_ask_fstat(descriptor, target); }

static void gr_say_broken_down(struct tm time)
{
    int fields[9] = {time.tm_sec,  time.tm_min,  time.tm_hour, time.tm_mday, time.tm_mon,
                     time.tm_year, time.tm_wday, time.tm_yday, time.tm_isdst};
    for (int i = 0; i < 9; i++)
        gr_say((u64)(i64)fields[i]);
    gr_say((u64)time.tm_gmtoff);
}

static GR_UNUSED void gr_ask_localtime_r(ptr time, ptr target)
{
    struct tm result;
    time_t when = *(const time_t *)time;
    if (target && localtime_r(&when, &result))
        gr_say_broken_down(result);
}
