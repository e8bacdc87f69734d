/* What stands beside each other in a text, and what between. A part of _compiled.c. */
#pragma once
#include "_memo.h"

/* Memo.adjacent: the words of a text in runs that stand beside each other. compounds: the pairs and triples of runs. */

enum { LETTER = 1, WORD = 2, DIGIT = 4, SPACE = 8, ALNUM = 16 }; /* classes of characters, as in phrases.py */
enum { NEAR = 0x3000, LOOKS = 0xfe00, LOOKS_END = 0xfe10, EMOJI = 0x1f000, EMOJI_END = 0x20000 }; /* CLASSED there */

typedef struct {
    const unsigned char *end; /* of the text, in UTF-8 */
    const unsigned char *classes;
    size_t count; /* of classes */
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
    if (code >= NEAR) { /* one range lies behind the other */
        if (code >= LOOKS && code < LOOKS_END) {
            code -= LOOKS - NEAR;
        } else if (code >= EMOJI && code < EMOJI_END) {
            code -= EMOJI - (NEAR + LOOKS_END - LOOKS);
        } else {
            return -1;
        }
    }
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

/* Adds some words, each after a space, the first one after `before`. */
static int add_words(Lines *lines, const Span *words, int count, char before) {
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
        lines->bytes[lines->used++] = at == 0 ? before : ' ';
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
    int beside; /* whether a word stands right before */
    Lines runs;
} Phrases;

static int add_word(Phrases *found, Span word) {
    size_t size = (size_t)(word.end - word.begin);
    const char *letters = (const char *)word.begin;
    if (place_of(found->stop, letters, size, hashed(found->stop->key, letters, size))->number >= 0) {
        found->beside = 0;
        return 0;
    }
    char before = found->beside ? ' ' : '\n';
    found->beside = 1;
    return add_words(&found->runs, &word, 1, before);
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
    if (!PyArg_ParseTuple(args, "US:adjacent", &text, &classes) ||
        PyBytes_AsStringAndSize(classes, &bytes, &count) < 0) {
        return NULL;
    }
    const unsigned char *at = utf8_of(text, &size);
    if (at == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    Classes known = {at + size, (const unsigned char *)bytes, (size_t)count};
    Phrases found = {.stop = (const Memo *)object};
    int status = find_phrases(&found, &known, at);
    if (status == 0) {
        result = text_of(&found.runs);
    } else if (status > 0) {
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(found.runs.bytes);
    return result;
}

/* Adds the pairs, or the triples, of all runs. */
static int add_compounds(Lines *found, const unsigned char *at, const unsigned char *end, int count) {
    Span last[3] = {{NULL, NULL}}; /* the words of the run until here, the last of them last */
    int beside = 0;
    while (at < end) {
        const unsigned char *begin = at;
        while (at < end && *at != ' ' && *at != '\n') {
            at++;
        }
        last[0] = last[1];
        last[1] = last[2];
        last[2] = (Span){begin, at};
        beside += beside < 3;
        if (beside >= count && add_words(found, &last[3 - count], count, '\n') < 0) {
            return -1;
        }
        if (at < end && *at++ == '\n') {
            beside = 0;
        }
    }
    return 0;
}

static PyObject *compounds(PyObject *Py_UNUSED(module), PyObject *runs) {
    Py_ssize_t size;
    const unsigned char *at = (const unsigned char *)PyUnicode_AsUTF8AndSize(runs, &size);
    if (at == NULL) {
        return NULL;
    }
    Lines found = {NULL, 0, 0};
    PyObject *result = NULL;
    if (add_compounds(&found, at, at + size, 2) == 0 && add_compounds(&found, at, at + size, 3) == 0) {
        result = text_of(&found);
    }
    PyMem_Free(found.bytes);
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
