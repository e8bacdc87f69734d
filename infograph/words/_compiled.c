/* The compiled twin of pure.py: the same functions and classes, the same results, byte for byte. What each is for stands
 * there; tests/words/test_twins.py holds the two equal.
 *
 * For the limited API of Python 3.11, so that one build serves each later version. All input is bounds checked: texts
 * are other people's. Nothing here recurses, and no pointer into a table is kept over a call into Python.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdint.h>
#include <string.h>

#define INTERFACE 2 /* as in pure.py */

/* SipHash-1-3 with a key of this process: whoever writes a text cannot choose words that all fall on one place. */

#define ROTATE(x, bits) (((x) << (bits)) | ((x) >> (64 - (bits))))
#define ROUND                                                                                                          \
    do {                                                                                                               \
        v0 += v1, v1 = ROTATE(v1, 13) ^ v0, v0 = ROTATE(v0, 32);                                                       \
        v2 += v3, v3 = ROTATE(v3, 16) ^ v2;                                                                            \
        v0 += v3, v3 = ROTATE(v3, 21) ^ v0;                                                                            \
        v2 += v1, v1 = ROTATE(v1, 17) ^ v2, v2 = ROTATE(v2, 32);                                                       \
    } while (0)

static uint64_t hashed(const uint64_t key[2], const char *word, size_t size) {
    uint64_t v0 = key[0] ^ 0x736f6d6570736575ULL, v1 = key[1] ^ 0x646f72616e646f6dULL;
    uint64_t v2 = key[0] ^ 0x6c7967656e657261ULL, v3 = key[1] ^ 0x7465646279746573ULL;
    uint64_t block, last = (uint64_t)size << 56;
    size_t rest = size;
    for (; rest >= 8; rest -= 8, word += 8) {
        memcpy(&block, word, 8);
        v3 ^= block;
        ROUND;
        v0 ^= block;
    }
    block = 0;
    memcpy(&block, word, rest);
    last ^= block;
    v3 ^= last;
    ROUND;
    v0 ^= last;
    v2 ^= 0xff;
    ROUND;
    ROUND;
    ROUND;
    return v0 ^ v1 ^ v2 ^ v3;
}

/* Memo: a table of words with open addressing; the words themselves lie one after the other in `letters`. */

typedef struct {
    size_t start;    /* of the word in `letters` */
    uint32_t size;   /* bytes of the word */
    uint32_t hash;   /* low bits of its hash */
    int64_t number;  /* negative: the place is free */
} Place;

typedef struct {
    PyObject_HEAD
    uint64_t key[2];
    Py_ssize_t longest;
    Place *places;
    size_t mask;  /* number of places, a power of two, less one */
    size_t words;
    char *letters;
    size_t used, room;  /* bytes of `letters` */
} Memo;

#define FEWEST ((size_t)1 << 10) /* places, and bytes of letters */

static Place *new_places(size_t count) {
    if (count > PY_SSIZE_T_MAX / sizeof(Place)) {
        PyErr_NoMemory();
        return NULL;
    }
    Place *places = PyMem_Malloc(count * sizeof(Place));
    if (places == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t at = 0; at < count; at++) {
        places[at].number = -1;
    }
    return places;
}

/* The place of a word, or the free one where it belongs. */
static Place *place_of(const Memo *self, const char *word, size_t size, uint64_t hash) {
    for (size_t at = hash & self->mask;; at = (at + 1) & self->mask) {
        Place *place = &self->places[at];
        if (place->number < 0 || (place->hash == (uint32_t)hash && place->size == size &&
                                  memcmp(self->letters + place->start, word, size) == 0)) {
            return place;
        }
    }
}

static int grow(Memo *self) {
    size_t count = (self->mask + 1) * 2;
    Place *old = self->places, *places = new_places(count);
    if (places == NULL) {
        return -1;
    }
    for (size_t from = 0; from <= self->mask; from++) {
        if (old[from].number >= 0) {
            size_t at = hashed(self->key, self->letters + old[from].start, old[from].size) & (count - 1);
            while (places[at].number >= 0) {
                at = (at + 1) & (count - 1);
            }
            places[at] = old[from];
        }
    }
    PyMem_Free(old);
    self->places = places;
    self->mask = count - 1;
    return 0;
}

static int remember(Memo *self, const char *word, size_t size, uint64_t hash, int64_t number) {
    if ((self->words + 1) * 2 > self->mask && grow(self) < 0) {
        return -1;
    }
    Place *place = place_of(self, word, size, hash);
    if (place->number < 0) {
        if (size > self->room - self->used) {
            size_t room = self->room * 2 + size;
            char *letters = room > PY_SSIZE_T_MAX ? NULL : PyMem_Realloc(self->letters, room);
            if (letters == NULL) {
                PyErr_NoMemory();
                return -1;
            }
            self->letters = letters;
            self->room = room;
        }
        memcpy(self->letters + self->used, word, size);
        place->start = self->used;
        place->size = (uint32_t)size;
        place->hash = (uint32_t)hash;
        self->used += size;
        self->words++;
    }
    place->number = number;
    return 0;
}

/* Asks for the number of a word that is not in the table; -1 with an exception set where there is none. */
static int64_t asked(Memo *self, PyObject *word, uint64_t hash, PyObject *number_of) {
    char *letters;
    Py_ssize_t size;
    PyObject *answer = PyObject_CallFunctionObjArgs(number_of, word, NULL);
    if (answer == NULL) {
        return -1;
    }
    int64_t number = PyLong_AsLongLong(answer);
    Py_DECREF(answer);
    if (number < 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "a word's number is negative");
        }
        return -1;
    }
    if (PyBytes_AsStringAndSize(word, &letters, &size) < 0 ||
        (size <= self->longest && remember(self, letters, (size_t)size, hash, number) < 0)) {
        return -1;
    }
    return number;
}

static inline int64_t number(Memo *self, const char *word, size_t size, PyObject *number_of) {
    uint64_t hash = hashed(self->key, word, size);
    if (size <= (size_t)self->longest) {
        const Place *place = place_of(self, word, size, hash);
        if (place->number >= 0) {
            return place->number;
        }
    }
    PyObject *bytes = PyBytes_FromStringAndSize(word, (Py_ssize_t)size);
    if (bytes == NULL) {
        return -1;
    }
    int64_t found = asked(self, bytes, hash, number_of);
    Py_DECREF(bytes);
    return found;
}

/* ASCII white space, as bytes.split has it. */
#define IS_SPACE(byte) ((byte) == ' ' || (unsigned char)((byte) - '\t') < 5)

/* Moves `at` to the begin of the next word and returns its size; 0 at the end. */
static inline size_t next_word(const char **at, const char *end) {
    const char *begin = *at;
    while (begin < end && IS_SPACE(*begin)) {
        begin++;
    }
    *at = begin;
    while (begin < end && !IS_SPACE(*begin)) {
        begin++;
    }
    return (size_t)(begin - *at);
}

static PyObject *memo_total(PyObject *object, PyObject *args) {
    const char *at;
    Py_ssize_t size;
    PyObject *data, *number_of;
    if (!PyArg_ParseTuple(args, "SO:total", &data, &number_of) || PyBytes_AsStringAndSize(data, (char **)&at, &size) < 0) {
        return NULL;
    }
    int64_t total = 0;
    size_t letters;
    for (const char *end = at + size; (letters = next_word(&at, end)) != 0; at += letters) {
        int64_t found = number((Memo *)object, at, letters, number_of);
        if (found < 0) {
            return NULL;
        }
        if (found > INT64_MAX - total) {
            PyErr_SetString(PyExc_OverflowError, "the total does not fit into 64 bits");
            return NULL;
        }
        total += found;
    }
    return PyLong_FromLongLong(total);
}

typedef struct {
    int64_t *found;
    size_t count, room;
} Numbers;

/* Adds the number of a word. */
static int add_number(Numbers *numbers, Memo *self, const char *word, size_t size, PyObject *number_of) {
    if (numbers->count == numbers->room) { /* a word has a byte at least, so that this is 16 times the text at most */
        size_t room = numbers->room == 0 ? 256 : numbers->room * 2;
        int64_t *found =
            room > PY_SSIZE_T_MAX / sizeof(int64_t) ? NULL : PyMem_Realloc(numbers->found, room * sizeof(int64_t));
        if (found == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        numbers->found = found;
        numbers->room = room;
    }
    int64_t found = number(self, word, size, number_of);
    numbers->found[numbers->count++] = found;
    return found < 0 ? -1 : 0;
}

/* Packs the numbers unless the status says that there was an error; frees them. */
static PyObject *packed(Numbers *numbers, int status) {
    PyObject *bytes = NULL;
    if (status == 0) {
        bytes = PyBytes_FromStringAndSize((const char *)numbers->found, (Py_ssize_t)(numbers->count * sizeof(int64_t)));
    }
    PyMem_Free(numbers->found);
    return bytes;
}

static PyObject *memo_numbers(PyObject *object, PyObject *args) {
    const char *at;
    Py_ssize_t size;
    PyObject *data, *number_of;
    if (!PyArg_ParseTuple(args, "SO:numbers", &data, &number_of) ||
        PyBytes_AsStringAndSize(data, (char **)&at, &size) < 0) {
        return NULL;
    }
    Numbers numbers = {NULL, 0, 0};
    size_t letters;
    int status = 0;
    for (const char *end = at + size; status == 0 && (letters = next_word(&at, end)) != 0; at += letters) {
        status = add_number(&numbers, (Memo *)object, at, letters, number_of);
    }
    return packed(&numbers, status);
}

/* Memo.adjacent: the words of a text, and those that stand beside each other. */

enum { LETTER = 1, WORD = 2, DIGIT = 4, SPACE = 8, ALNUM = 16 }; /* classes of characters, as in phrases.py */

typedef struct {
    const unsigned char *end; /* of the text, in UTF-8 */
    const unsigned char *classes;
    size_t count; /* of classes: those of the first code points */
} Classes;

/* The class of the character at `at`, which is before the end, and where the next one is; -1 where it has no class. */
static inline int class_of(const Classes *known, const unsigned char *at, const unsigned char **next) {
    size_t code = *at, more = code < 0x80 ? 0 : code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3;
    if (more > (size_t)(known->end - at) - 1) {
        return -1;
    }
    if (more != 0) {
        code &= 0x3fu >> more;
        for (size_t byte = 1; byte <= more; byte++) {
            code = code << 6 | (at[byte] & 0x3f);
        }
    }
    *next = at + more + 1;
    return code < known->count ? known->classes[code] : -1;
}

/* The text in UTF-8, which lives as long as the text; NULL without an exception where it has half a surrogate pair. */
static const unsigned char *utf8_of(PyObject *text, Py_ssize_t *size) {
    const char *bytes = PyUnicode_AsUTF8AndSize(text, size);
    if (bytes == NULL && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
    }
    return (const unsigned char *)bytes;
}

typedef struct {
    char *bytes;
    size_t used, room;
} Lines;

typedef struct {
    const unsigned char *begin, *end;
} Span;

/* Adds a line end and some words, joined by spaces. */
static int add_line(Lines *lines, const Span *words, int count) {
    size_t size = (size_t)count;
    for (int at = 0; at < count; at++) {
        size += (size_t)(words[at].end - words[at].begin);
    }
    if (size > lines->room - lines->used) {
        size_t room = lines->room * 2 + size;
        char *bytes = room > PY_SSIZE_T_MAX ? NULL : PyMem_Realloc(lines->bytes, room);
        if (bytes == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        lines->bytes = bytes;
        lines->room = room;
    }
    for (int at = 0; at < count; at++) {
        size_t letters = (size_t)(words[at].end - words[at].begin);
        lines->bytes[lines->used++] = at == 0 ? '\n' : ' ';
        memcpy(lines->bytes + lines->used, words[at].begin, letters);
        lines->used += letters;
    }
    return 0;
}

/* The lines as a string; each begins with a line end, the first one too. */
static PyObject *text_of(const Lines *lines) {
    if (lines->used == 0) {
        return PyUnicode_FromStringAndSize(NULL, 0);
    }
    return PyUnicode_DecodeUTF8(lines->bytes + 1, (Py_ssize_t)lines->used - 1, NULL);
}

typedef struct {
    const Memo *stop;
    Span last[3]; /* the words that stand beside each other until here, the last of them last */
    int beside;   /* how many of them there are */
    Lines words, pairs, triples;
} Phrases;

static int add_word(Phrases *found, Span word) {
    size_t size = (size_t)(word.end - word.begin);
    const char *letters = (const char *)word.begin;
    if (place_of(found->stop, letters, size, hashed(found->stop->key, letters, size))->number >= 0) {
        found->beside = 0;
        return 0;
    }
    found->last[0] = found->last[1];
    found->last[1] = found->last[2];
    found->last[2] = word;
    found->beside += found->beside < 3;
    if (add_line(&found->words, &word, 1) < 0 || (found->beside > 1 && add_line(&found->pairs, &found->last[1], 2) < 0) ||
        (found->beside > 2 && add_line(&found->triples, found->last, 3) < 0)) {
        return -1;
    }
    return 0;
}

/* The end of the word that begins with a letter before `at`; NULL where that letter is none. -1: some character has no
 * class. */
static int word_end(const Classes *known, const unsigned char *at, const unsigned char **end) {
    const unsigned char *next;
    *end = NULL;
    for (; at < known->end; at = next) {
        int class = class_of(known, at, &next);
        if (class < 0) {
            return -1;
        }
        if (class & ALNUM) {
            *end = next;
        } else if (!(class & WORD) && *at != '\'' && *at != '-') {
            break;
        }
    }
    return 0;
}

/* The end of white space from `at` on that begins a new block: after its last line end, or after a star behind it; NULL
 * where it begins none. */
static int block_end(const Classes *known, const unsigned char *at, const unsigned char **end) {
    const unsigned char *next;
    *end = NULL;
    for (; at < known->end; at = next) {
        int class = class_of(known, at, &next);
        if (class < 0) {
            return -1;
        }
        if (*at == '\n' || *at == '*') {
            *end = next;
        }
        if (!(class & SPACE)) {
            break;
        }
    }
    return 0;
}

/* Finds all words. 1: some character has no class; -1: an exception is set. */
static int find_phrases(Phrases *found, const Classes *known, const unsigned char *at) {
    const unsigned char *next, *end;
    for (; at < known->end; at = next) {
        int class = class_of(known, at, &next);
        if (class < 0) {
            return 1;
        }
        if (class & LETTER) {
            if (word_end(known, next, &end) < 0) {
                return 1;
            }
            if (end == NULL) {
                found->beside = 0;
            } else if (add_word(found, (Span){at, end}) < 0) {
                return -1;
            } else {
                next = end;
            }
        } else if (class & DIGIT) { /* and the letters after it */
            found->beside = 0;
            for (at = next; at < known->end; at = next) {
                class = class_of(known, at, &next);
                if (class < 0) {
                    return 1;
                }
                if (!(class & WORD)) {
                    break;
                }
            }
            next = at;
        } else if (*at == '\n') {
            if (block_end(known, next, &end) < 0) {
                return 1;
            }
            if (end != NULL) {
                found->beside = 0;
                next = end;
            }
        } else if (!(class & SPACE) && *at != '*' && *at != '_') {
            found->beside = 0;
        }
    }
    return 0;
}

static PyObject *memo_adjacent(PyObject *object, PyObject *args) {
    PyObject *text, *classes, *result = NULL;
    Py_ssize_t size, count;
    char *bytes;
    if (!PyArg_ParseTuple(args, "US:adjacent", &text, &classes) || PyBytes_AsStringAndSize(classes, &bytes, &count) < 0) {
        return NULL;
    }
    const unsigned char *at = utf8_of(text, &size);
    if (at == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    Classes known = {at + size, (const unsigned char *)bytes, (size_t)count};
    Phrases found = {.stop = (const Memo *)object};
    int status = find_phrases(&found, &known, at);
    if (status == 0 && found.triples.used > 0) { /* a triple has pairs, so that there is something to follow */
        size_t all = found.pairs.used + found.triples.used;
        char *joined = all > PY_SSIZE_T_MAX ? NULL : PyMem_Realloc(found.pairs.bytes, all);
        if (joined == NULL) {
            PyErr_NoMemory();
            status = -1;
        } else {
            memcpy(joined + found.pairs.used, found.triples.bytes, found.triples.used);
            found.pairs.bytes = joined;
            found.pairs.used = all;
        }
    }
    if (status == 0) {
        result = Py_BuildValue("NN", text_of(&found.words), text_of(&found.pairs));
    } else if (status > 0) {
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(found.words.bytes);
    PyMem_Free(found.pairs.bytes);
    PyMem_Free(found.triples.bytes);
    return result;
}

/* Memo.alternating: numbers of words, and of what stands before each. */

/* Moves `at` to the first character that is in words or is not, as told; -1: one before that has no class. */
static int skip(const Classes *known, const unsigned char **at, int in_words) {
    const unsigned char *next;
    for (; *at < known->end; *at = next) {
        int class = class_of(known, *at, &next);
        if (class < 0) {
            return -1;
        }
        if (!(class & WORD) == !in_words) {
            break;
        }
    }
    return 0;
}

/* What follows an apostrophe or hyphen that joins two words at `at`; NULL where there is none. */
static const unsigned char *joined(const Classes *known, const unsigned char *at) {
    const unsigned char *next, *after = NULL;
    if (at < known->end && (*at == '\'' || *at == '-')) {
        after = at + 1;
    } else if (known->end - at >= 3 && memcmp(at, "\xe2\x80\x99", 3) == 0) {
        after = at + 3;
    }
    if (after == NULL || after == known->end) {
        return NULL;
    }
    int class = class_of(known, after, &next);
    return class >= 0 && class & WORD ? after : NULL; /* without a class: whoever skips it next finds it */
}

static PyObject *memo_alternating(PyObject *object, PyObject *args) {
    PyObject *text, *classes, *number_of;
    Py_ssize_t size, count;
    char *bytes;
    if (!PyArg_ParseTuple(args, "USO:alternating", &text, &classes, &number_of) ||
        PyBytes_AsStringAndSize(classes, &bytes, &count) < 0) {
        return NULL;
    }
    const unsigned char *at = utf8_of(text, &size);
    if (at == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    Classes known = {at + size, (const unsigned char *)bytes, (size_t)count};
    Numbers numbers = {NULL, 0, 0};
    Memo *self = (Memo *)object;
    for (;;) {
        const unsigned char *gap = at, *word, *after;
        if (skip(&known, &at, 1) < 0) {
            break;
        }
        if (at == known.end) { /* what stands after the last word is left out */
            return packed(&numbers, 0);
        }
        word = at;
        int status = skip(&known, &at, 0);
        while (status == 0 && (after = joined(&known, at)) != NULL) {
            at = after;
            status = skip(&known, &at, 0);
        }
        if (status < 0) {
            break;
        }
        if (add_number(&numbers, self, (const char *)gap, (size_t)(word - gap), number_of) < 0 ||
            add_number(&numbers, self, (const char *)word, (size_t)(at - word), number_of) < 0) {
            return packed(&numbers, -1);
        }
    }
    packed(&numbers, -1); /* some character has no class */
    return Py_NewRef(Py_None);
}

static PyObject *memo_number(PyObject *object, PyObject *args) {
    char *word;
    Py_ssize_t size;
    PyObject *data, *number_of;
    if (!PyArg_ParseTuple(args, "SO:number", &data, &number_of) || PyBytes_AsStringAndSize(data, &word, &size) < 0) {
        return NULL;
    }
    int64_t found = number((Memo *)object, word, (size_t)size, number_of);
    return found < 0 ? NULL : PyLong_FromLongLong(found);
}

/* Forgets all words. Where memory is short, it stays as it was. */
static int empty(Memo *self) {
    Place *places = new_places(FEWEST);
    char *letters = places == NULL ? NULL : PyMem_Malloc(FEWEST);
    if (letters == NULL) {
        PyMem_Free(places);
        PyErr_NoMemory();
        return -1;
    }
    PyMem_Free(self->places);
    PyMem_Free(self->letters);
    self->places = places;
    self->letters = letters;
    self->mask = FEWEST - 1;
    self->words = self->used = 0;
    self->room = FEWEST;
    return 0;
}

static PyObject *memo_clear(PyObject *object, PyObject *Py_UNUSED(none)) {
    if (empty((Memo *)object) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static Py_ssize_t memo_length(PyObject *object) { return (Py_ssize_t)((Memo *)object)->words; }

/* The key follows from that of Python's own hashes: another one in each process, unless PYTHONHASHSEED says which. */
static int set_key(uint64_t key[2]) {
    for (int part = 0; part < 4; part++) {
        PyObject *said = PyBytes_FromFormat("infograph %d", part);
        Py_hash_t hash = said == NULL ? -1 : PyObject_Hash(said);
        Py_XDECREF(said);
        if (hash == -1) {
            return -1;
        }
        key[part / 2] = ROTATE(key[part / 2], 32) ^ (uint64_t)hash;
    }
    return 0;
}

static PyObject *memo_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"longest", NULL};
    Py_ssize_t longest;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "n:Memo", names, &longest)) {
        return NULL;
    }
    if (longest < 0 || (uint64_t)longest > UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "longest is not from 0 to 2^32 - 1");
        return NULL;
    }
    Memo *self = (Memo *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0); /* all zeros */
    if (self == NULL) {
        return NULL;
    }
    self->longest = longest;
    if (set_key(self->key) < 0 || empty(self) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void memo_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    PyMem_Free(((Memo *)object)->places);
    PyMem_Free(((Memo *)object)->letters);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyMethodDef memo_methods[] = {
    {"number", memo_number, METH_VARARGS, NULL},
    {"numbers", memo_numbers, METH_VARARGS, NULL},
    {"total", memo_total, METH_VARARGS, NULL},
    {"alternating", memo_alternating, METH_VARARGS, NULL},
    {"adjacent", memo_adjacent, METH_VARARGS, NULL},
    {"clear", memo_clear, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot memo_slots[] = {
    {Py_tp_new, memo_new},         {Py_tp_dealloc, memo_dealloc}, {Py_tp_methods, memo_methods},
    {Py_mp_length, memo_length},   {0, NULL},
};

static PyType_Spec memo_spec = {"infograph.words._compiled.Memo", sizeof(Memo), 0, Py_TPFLAGS_DEFAULT, memo_slots};

/* sum_rows */

#define AT_ONCE 65536 /* rows of 16 bits whose sum fits into 32 */

static int add_rows(int64_t *total, int32_t *part, const int16_t *rows, size_t width, size_t count,
                    const char *numbers, size_t length) {
    for (size_t done = 0; done < length;) {
        size_t end = length - done > AT_ONCE ? done + AT_ONCE : length;
        memset(part, 0, width * sizeof(int32_t));
        for (; done < end; done++) {
            int64_t number;
            memcpy(&number, numbers + done * sizeof(int64_t), sizeof(int64_t));
            if (number < 0 || (uint64_t)number >= count) {
                PyErr_SetString(PyExc_IndexError, "there is no row of this number");
                return -1;
            }
            const int16_t *row = rows + (size_t)number * width;
            for (size_t at = 0; at < width; at++) {
                part[at] += row[at];
            }
        }
        for (size_t at = 0; at < width; at++) {
            total[at] += part[at];
        }
    }
    return 0;
}

static PyObject *sum_rows(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer rows, numbers;
    Py_ssize_t width;
    if (!PyArg_ParseTuple(args, "y*ny*:sum_rows", &rows, &width, &numbers)) {
        return NULL;
    }
    PyObject *packed = NULL;
    int64_t *total = NULL;
    int32_t *part = NULL;
    if (width < 1 || width > 1 << 16 || (uintptr_t)rows.buf % sizeof(int16_t) || numbers.len % 8) {
        PyErr_SetString(PyExc_ValueError, "these are no rows of 16 bits and numbers of 64");
        goto done;
    }
    total = PyMem_Calloc((size_t)width, sizeof(int64_t));
    part = PyMem_Malloc((size_t)width * sizeof(int32_t));
    if (total == NULL || part == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (add_rows(total, part, rows.buf, (size_t)width, (size_t)rows.len / sizeof(int16_t) / (size_t)width, numbers.buf,
                 (size_t)numbers.len / sizeof(int64_t)) == 0) {
        packed = PyBytes_FromStringAndSize((const char *)total, width * (Py_ssize_t)sizeof(int64_t));
    }
done:
    PyMem_Free(total);
    PyMem_Free(part);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&numbers);
    return packed;
}

static PyMethodDef functions[] = {
    {"sum_rows", sum_rows, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module) {
    PyObject *memo = PyType_FromModuleAndSpec(module, &memo_spec, NULL);
    if (memo == NULL) {
        return -1;
    }
    int status = PyModule_AddObjectRef(module, "Memo", memo);
    Py_DECREF(memo);
    return status < 0 ? -1 : PyModule_AddIntConstant(module, "INTERFACE", INTERFACE);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_compiled", NULL, 0, functions, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__compiled(void) { return PyModuleDef_Init(&definition); }
