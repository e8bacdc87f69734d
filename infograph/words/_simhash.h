/* SimHashes of chunks. A part of _compiled.c; its twin is in simhash.py. */
#pragma once
#include <Python.h>

#include <stdint.h>
#include <string.h>

#define BITS 64 /* of a hash */

/* Adds a weight to the sum of each bit that a feature has, and takes it from the others. */
static inline void weigh(int64_t *sums, const uint8_t *feature, int64_t weight) {
    for (int byte = 0; byte < BITS / 8; byte++) {
        for (int bit = 0; bit < 8; bit++) {
            sums[8 * byte + bit] += (feature[byte] >> (7 - bit) & 1) ? weight : -weight;
        }
    }
}

/* Places of a posting, and how often its term occurs; -1 with an exception set where they are out of bounds. */
static int add_postings(int64_t *sums, const Py_buffer *features, const char *columns[3], size_t postings,
                        size_t chunks) {
    for (size_t at = 0; at < postings; at++) {
        uint64_t values[3]; /* term, chunk, count; what is negative is out of bounds, too */
        for (int column = 0; column < 3; column++) {
            memcpy(&values[column], columns[column] + at * sizeof(uint64_t), sizeof(uint64_t));
        }
        if (values[0] >= (uint64_t)features->len / (BITS / 8) || values[1] >= chunks || values[2] > INT64_MAX) {
            PyErr_SetString(PyExc_IndexError, "there is no term, chunk or count of this number");
            return -1;
        }
        int64_t weight = 0;
        for (uint64_t count = values[2]; count != 0; count >>= 1) {
            weight++;
        }
        weigh(sums + values[1] * BITS, (const uint8_t *)features->buf + values[0] * (BITS / 8), weight);
    }
    return 0;
}

static PyObject *hashes_of(const int64_t *sums, size_t chunks) {
    PyObject *found = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(chunks * (BITS / 8)));
    if (found == NULL) {
        return NULL;
    }
    char *hashes = PyBytes_AsString(found);
    for (size_t byte = 0; byte < chunks * (BITS / 8); byte++) {
        unsigned bits = 0;
        for (int bit = 0; bit < 8; bit++) {
            bits = bits << 1 | (sums[8 * byte + (size_t)bit] > 0);
        }
        hashes[byte] = (char)bits;
    }
    return found;
}

static PyObject *sim_hashes(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer features, columns[3];
    Py_ssize_t chunks;
    if (!PyArg_ParseTuple(args, "y*y*y*y*n:sim_hashes", &features, &columns[0], &columns[1], &columns[2], &chunks)) {
        return NULL;
    }
    PyObject *found = NULL;
    int64_t *sums = NULL;
    if (features.len % (BITS / 8) || columns[0].len % 8 || columns[1].len != columns[0].len ||
        columns[2].len != columns[0].len || chunks < 0) {
        PyErr_SetString(PyExc_ValueError, "these are no features and postings of 64 bits");
        goto done;
    }
    sums = chunks > PY_SSIZE_T_MAX / BITS / 8 ? NULL : PyMem_Calloc((size_t)chunks * BITS + 1, sizeof(int64_t));
    if (sums == NULL) {
        PyErr_NoMemory();
    } else {
        const char *data[3] = {columns[0].buf, columns[1].buf, columns[2].buf};
        if (add_postings(sums, &features, data, (size_t)columns[0].len / 8, (size_t)chunks) == 0) {
            found = hashes_of(sums, (size_t)chunks);
        }
    }
done:
    PyMem_Free(sums);
    PyBuffer_Release(&features);
    for (int column = 0; column < 3; column++) {
        PyBuffer_Release(&columns[column]);
    }
    return found;
}
