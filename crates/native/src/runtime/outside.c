/* Calls of the real library in the place of inputs: see `prelude/input.c` of the front end. What a thread has read waits
   here until the program's model takes it, eight bytes at a time. */

enum { GR_STREAMS = 1024 };
static FILE *gr_stream[GR_STREAMS];
static u32 gr_open_streams = 3;
static __thread char *gr_line;
static __thread size_t gr_line_room;
static __thread size_t gr_line_length;

/* Where the array of streams is; printed with the globals. */
static ptr gr_stream_base(void);

static FILE *gr_stream_of(ptr place)
{
    u64 stream = place - gr_stream_base();
    if (stream < 3)
        return stream == 0 ? stdin : stream == 1 ? stdout : stderr;
    return stream < GR_STREAMS ? gr_stream[stream] : NULL;
}

static GR_UNUSED u64 gr_outside_fopen(ptr path, ptr mode)
{
    FILE *file = fopen((const char *)path, (const char *)mode);
    if (!file)
        return 0;
    u32 stream = __atomic_fetch_add(&gr_open_streams, 1, __ATOMIC_RELAXED);
    if (stream >= GR_STREAMS) {
        fclose(file);
        return 0;
    }
    gr_stream[stream] = file;
    return stream;
}

static GR_UNUSED u64 gr_outside_fgetc(ptr stream)
{
    FILE *file = gr_stream_of(stream);
    return (u64)(file ? fgetc(file) : EOF);
}

static int gr_line_holds(u64 size)
{
    if (gr_line_room < size) {
        free(gr_line);
        gr_line = malloc(size);
        gr_line_room = gr_line ? size : 0;
    }
    return gr_line != NULL;
}

static GR_UNUSED u64 gr_outside_fgets(ptr stream, u64 size)
{
    FILE *file = gr_stream_of(stream);
    if (!file || size > INT_MAX || !gr_line_holds(size) || !fgets(gr_line, (int)size, file))
        return (u64)-1;
    gr_line_length = strlen(gr_line);
    return gr_line_length;
}

static GR_UNUSED u64 gr_outside_getline(ptr stream, u32 delimiter)
{
    FILE *file = gr_stream_of(stream);
    ssize_t length = file ? getdelim(&gr_line, &gr_line_room, (int)delimiter, file) : -1;
    gr_line_length = length < 0 ? 0 : (size_t)length;
    return (u64)length;
}

static GR_UNUSED u64 gr_outside_fread(ptr stream, u64 size)
{
    FILE *file = gr_stream_of(stream);
    if (!file || !gr_line_holds(size))
        return 0;
    gr_line_length = fread(gr_line, 1, size, file);
    return gr_line_length;
}

static GR_UNUSED u64 gr_outside_bytes(u64 position)
{
    u64 bytes = 0;
    size_t left = position < gr_line_length ? gr_line_length - position : 0;
    for (size_t i = 0; i < left && i < 8; i++)
        bytes |= (u64)(u8)gr_line[position + i] << 8 * i;
    return bytes;
}

static GR_UNUSED u64 gr_outside_feof(ptr stream)
{
    FILE *file = gr_stream_of(stream);
    return file ? feof(file) != 0 : 0;
}

static GR_UNUSED u64 gr_outside_ferror(ptr stream)
{
    FILE *file = gr_stream_of(stream);
    return file ? ferror(file) != 0 : 1;
}

static GR_UNUSED u64 gr_outside_rand(void) { return (u64)rand(); }
static GR_UNUSED u64 gr_outside_clock(void) { return (u64)clock(); }
