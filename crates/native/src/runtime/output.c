/* printf and its relatives. Variadic arguments lie in slots of eight bytes, in order, each at the beginning of its slot.
   Each conversion is handed to the C library with its argument. */

struct gr_text {
    char *bytes;
    size_t length, room;
};

static void gr_text_add(struct gr_text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        text->room = (text->length + length + 1) * 2;
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes)
            gr_fail("there is no memory");
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

#define GR_CONVERT(value)                                                                                              \
    do {                                                                                                               \
        int needed = snprintf(buffer, sizeof buffer, specification, value);                                            \
        if (needed < 0)                                                                                                \
            return;                                                                                                    \
        if ((size_t)needed < sizeof buffer) {                                                                          \
            gr_text_add(text, buffer, (size_t)needed);                                                                 \
        } else {                                                                                                       \
            char *large = malloc((size_t)needed + 1);                                                                  \
            if (!large)                                                                                                \
                gr_fail("there is no memory");                                                                         \
            snprintf(large, (size_t)needed + 1, specification, value);                                                 \
            gr_text_add(text, large, (size_t)needed);                                                                  \
            free(large);                                                                                               \
        }                                                                                                              \
    } while (0)

/* One conversion; `specification` begins with `%`, all `*` in it are replaced. */
static void gr_convert(struct gr_text *text, const char *specification, char kind, int wide, ptr slot)
{
    char buffer[512];
    switch (kind) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c':
        if (wide)
            GR_CONVERT((unsigned long long)gr_load_u64(slot));
        else
            GR_CONVERT(gr_load_u32(slot));
        break;
    case 'p':
        GR_CONVERT((void *)gr_load_ptr(slot));
        break;
    case 's': {
        ptr string = gr_load_ptr(slot);
        size_t before = text->length;
        GR_CONVERT(string ? (const char *)string : "(null)");
        GR_NOTE(string, string ? text->length - before : 0);
        break;
    }
    default:
        GR_CONVERT(gr_load_double(slot));
    }
}

static void gr_format(struct gr_text *text, ptr format, ptr slots)
{
    GR_NOTE(format, strlen((const char *)format) + 1);
    gr_text_add(text, "", 0);
    for (const char *at = (const char *)format; *at;) {
        size_t plain = strcspn(at, "%");
        gr_text_add(text, at, plain);
        at += plain;
        if (!*at)
            break;
        if (at[1] == '%') {
            gr_text_add(text, "%", 1);
            at += 2;
            continue;
        }
        char specification[64];
        size_t length = 0;
        int wide = 0;
        specification[length++] = *at++;
        while (*at && strchr("-+ #0123456789.*hlzjtL", *at) && length < 40) {
            if (*at == '*') {
                length += (size_t)snprintf(specification + length, 16, "%d", (int)gr_load_u32(slots));
                slots += 8;
            } else if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') {
                /* Sixty-four bits are printed as `long long`. */
                wide = sizeof(long) == 8 || *at == 'j' || at[1] == 'l' || at[-1] == 'l';
            } else {
                specification[length++] = *at;
            }
            at++;
        }
        if (!*at)
            break;
        if (wide && strchr("diuxXo", *at)) {
            specification[length++] = 'l';
            specification[length++] = 'l';
        }
        specification[length++] = *at;
        specification[length] = 0;
        gr_convert(text, specification, *at++, wide, slots);
        slots += 8;
    }
}

static GR_UNUSED u32 gr_printf(ptr format, ptr slots)
{
    struct gr_text text = {NULL, 0, 0};
    gr_format(&text, format, slots);
    fwrite(text.bytes, 1, text.length, stdout);
    u32 length = (u32)text.length;
    free(text.bytes);
    return length;
}

static GR_UNUSED u32 gr_snprintf(ptr buffer, u64 size, ptr format, ptr slots)
{
    struct gr_text text = {NULL, 0, 0};
    gr_format(&text, format, slots);
    if (size > 0) {
        u64 kept = text.length < size - 1 ? text.length : size - 1;
        memcpy((void *)buffer, text.bytes, kept);
        gr_store_u8(buffer + kept, 0);
        GR_NOTE(buffer, kept + 1);
    }
    u32 length = (u32)text.length;
    free(text.bytes);
    return length;
}

static GR_UNUSED u32 gr_puts(ptr string)
{
    puts((const char *)string);
    GR_NOTE(string, strlen((const char *)string) + 1);
    return 1;
}

static GR_UNUSED u32 gr_putchar(u32 character)
{
    putchar((int)character);
    return character & 0xff;
}
