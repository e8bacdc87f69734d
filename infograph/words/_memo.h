/* Memo: a table of words, and the numbers of a text's words by it. A part of _compiled.c. */
#pragma once
#include <Python.h>

#include <stdint.h>
#include <string.h>

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
    if (!PyArg_ParseTuple(args, "SO:total", &data, &number_of) ||
        PyBytes_AsStringAndSize(data, (char **)&at, &size) < 0) {
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
