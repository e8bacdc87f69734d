/* The keys of runs of words. A part of _compiled.c; its twin is in runs.py. */
#pragma once
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MARKED = 1, ALONE = 2, CAPITAL = 4 }; /* flags of words, as in runs.py */
enum { JOINED = 1, ENDED = 2 };              /* flags of what stands before a word */
enum { LONGEST = 8 };                        /* words of a run */
#define FACTOR 0x9e3779b97f4a7c15ULL
#define IN_KEY ((1ULL << 40) - 1)

typedef struct {
    uint64_t *found;
    size_t count, room;
} Keys;

/* Adds the key of a run, of the polynomial of its words' own keys. */
static inline int add_key(Keys *keys, uint64_t value) {
    if (keys->count == keys->room) { /* eight for each word at most */
        size_t room = keys->room == 0 ? 256 : keys->room * 2;
        uint64_t *found =
            room > PY_SSIZE_T_MAX / sizeof(uint64_t) ? NULL : PyMem_Realloc(keys->found, room * sizeof(uint64_t));
        if (found == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        keys->found = found;
        keys->room = room;
    }
    keys->found[keys->count++] = (value ^ value >> 29) & IN_KEY;
    return 0;
}

static int ascending(const void *one, const void *other) {
    uint64_t a, b;
    memcpy(&a, one, sizeof(a));
    memcpy(&b, other, sizeof(b));
    return (a > b) - (a < b);
}

/* Sorts the keys from `first` on and leaves each once. */
static void sort_keys(Keys *keys, size_t first) {
    if (keys->count - first < 2) {
        return;
    }
    qsort(keys->found + first, keys->count - first, sizeof(uint64_t), ascending);
    size_t kept = first + 1;
    for (size_t at = kept; at < keys->count; at++) {
        if (keys->found[at] != keys->found[kept - 1]) {
            keys->found[kept++] = keys->found[at];
        }
    }
    keys->count = kept;
}

/* Adds the keys of the runs of some words of one text. */
static int add_runs(Keys *keys, const char *words, const uint8_t *kinds, const uint8_t *gaps, size_t count) {
    size_t first = keys->count;
    for (size_t begin = 0; begin < count; begin++) {
        int kind = kinds[begin];
        uint64_t value, next;
        memcpy(&value, words + begin * sizeof(value), sizeof(value));
        if ((kind & ALONE || (kind & CAPITAL && !(gaps[begin] & ENDED))) && add_key(keys, value) < 0) {
            return -1;
        }
        if (!(kind & MARKED)) {
            continue;
        }
        for (size_t end = begin + 1; end < count && end - begin < LONGEST && gaps[end] & JOINED; end++) {
            memcpy(&next, words + end * sizeof(next), sizeof(next));
            value = value * FACTOR + next;
            if (kinds[end] & MARKED && add_key(keys, value) < 0) {
                return -1;
            }
        }
    }
    sort_keys(keys, first);
    return 0;
}

/* Adds the runs of all texts, and writes the number of keys of each in the place of its number of words. */
static int add_texts(Keys *keys, const Py_buffer *words, const uint8_t *kinds, const uint8_t *gaps, char *lengths,
                     size_t texts) {
    size_t begin = 0, count = (size_t)words->len / sizeof(uint64_t);
    for (size_t text = 0; text < texts; text++) {
        uint64_t length, before = keys->count;
        memcpy(&length, lengths + text * sizeof(length), sizeof(length));
        if (length > count - begin) {
            break;
        }
        if (add_runs(keys, (const char *)words->buf + begin * sizeof(uint64_t), kinds + begin, gaps + begin,
                     (size_t)length) < 0) {
            return -1;
        }
        begin += (size_t)length;
        before = keys->count - before;
        memcpy(lengths + text * sizeof(before), &before, sizeof(before));
        if (text + 1 == texts && begin == count) {
            return 0;
        }
    }
    if (texts == 0 && count == 0) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "the texts do not have these words");
    return -1;
}

static PyObject *run_keys(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer words, kinds, gaps, lengths;
    if (!PyArg_ParseTuple(args, "y*y*y*y*:run_keys", &words, &kinds, &gaps, &lengths)) {
        return NULL;
    }
    Keys keys = {NULL, 0, 0};
    PyObject *counts = NULL, *result = NULL;
    if (words.len % 8 || lengths.len % 8 || kinds.len != words.len / 8 || gaps.len != kinds.len) {
        PyErr_SetString(PyExc_ValueError, "these are no keys and lengths of 64 bits and flags of each word");
        goto done;
    }
    counts = PyBytes_FromStringAndSize(lengths.buf, lengths.len);
    if (counts != NULL && add_texts(&keys, &words, kinds.buf, gaps.buf, PyBytes_AsString(counts),
                                    (size_t)lengths.len / 8) == 0) {
        result = Py_BuildValue("(y#O)", keys.found == NULL ? "" : (const char *)keys.found,
                               (Py_ssize_t)(keys.count * sizeof(uint64_t)), counts);
    }
done:
    Py_XDECREF(counts);
    PyMem_Free(keys.found);
    PyBuffer_Release(&words);
    PyBuffer_Release(&kinds);
    PyBuffer_Release(&gaps);
    PyBuffer_Release(&lengths);
    return result;
}
