/* Output that is no observation: see `prelude/output.c` of the front end. A replay has opened no files: there, only the
   standard streams are written to. */

static GR_UNUSED void gr_tell_fprintf(u32 stream, ptr format, ptr slots)
{
    FILE *file = gr_stream_of(stream);
    struct gr_text text = {NULL, 0, 0};
    if (!file)
        return;
    gr_format(&text, format, slots);
    fwrite(text.bytes, 1, text.length, file);
    free(text.bytes);
}

static GR_UNUSED void gr_tell_dprintf(u32 descriptor, ptr format, ptr slots)
{
    struct gr_text text = {NULL, 0, 0};
    if (GR_IS_REPLAY && descriptor > 2)
        return;
    gr_format(&text, format, slots);
    ssize_t written = write((int)descriptor, text.bytes, text.length);
    (void)written;
    free(text.bytes);
}

static GR_UNUSED void gr_tell_fputs(ptr text, u32 stream)
{
    FILE *file = gr_stream_of(stream);
    if (file)
        fputs((const char *)text, file);
}

static GR_UNUSED void gr_tell_fputc(u32 character, u32 stream)
{
    FILE *file = gr_stream_of(stream);
    if (file)
        fputc((int)character, file);
}

static GR_UNUSED void gr_tell_fwrite(ptr bytes, u64 size, u32 stream)
{
    FILE *file = gr_stream_of(stream);
    if (file)
        fwrite((const void *)bytes, 1, (size_t)size, file);
}

static GR_UNUSED void gr_tell_fflush(u32 stream)
{
    FILE *file = stream != (u32)-1 ? gr_stream_of(stream) : NULL;
    if (file)
        fflush(file);
    else
        gr_flush_streams();
}

static GR_UNUSED void gr_tell_fclose(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    if (!file)
        return;
    if (stream < 3) {
        fflush(file);
        return;
    }
    pthread_mutex_lock(&gr_stream_lock);
    gr_stream[stream] = NULL;
    pthread_mutex_unlock(&gr_stream_lock);
    fclose(file);
}

static GR_UNUSED void gr_tell_rewind(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    if (file)
        rewind(file);
}

static GR_UNUSED void gr_tell_clearerr(u32 stream)
{
    FILE *file = gr_stream_of(stream);
    if (file)
        clearerr(file);
}

static GR_UNUSED void gr_tell_perror(ptr text, u32 error)
{
    if (text && *(const char *)text)
        fprintf(stderr, "%s: ", (const char *)text);
    fprintf(stderr, "%s\n", strerror((int)error));
}

static GR_UNUSED void gr_tell_deadline(ptr time)
{
    gr_has_deadline = time != 0;
    if (time)
        gr_deadline = *(const struct timespec *)time;
}

static GR_UNUSED void gr_tell_srand(u32 seed)
{
    srand(seed);
}
