/* Which characters texts have, and others in the place of some. A part of _compiled.c; its twin is in texts.py. */
#pragma once
#include <Python.h>

#include <stdint.h>
#include <string.h>

enum { OTHER_CHARACTERS = 0x80 }; /* as in texts.py */

/* Returns the flags of one text, -1 with an error set. */
static int flags_of(PyObject *text, const uint8_t *any, const uint8_t *first, const uint8_t *last) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "not a text");
        return -1;
    }
    Py_ssize_t size;
    const uint8_t *bytes = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            return -1;
        }
        PyErr_Clear(); /* half of a surrogate pair */
        return OTHER_CHARACTERS;
    }
    if (size == 0) {
        return first[0] | last[0];
    }
    uint8_t found = 0, high = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        high |= bytes[at];
        found |= any[bytes[at] & 0x7f];
    }
    return high & 0x80 ? OTHER_CHARACTERS : found | first[bytes[0]] | last[bytes[size - 1]];
}

static PyObject *text_flags(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *texts, *found = NULL;
    Py_buffer tables;
    if (!PyArg_ParseTuple(args, "O!y*:text_flags", &PyList_Type, &texts, &tables)) {
        return NULL;
    }
    if (tables.len != 3 * 128) {
        PyErr_SetString(PyExc_ValueError, "these are no three tables of 128 flags");
        goto done;
    }
    const uint8_t *any = tables.buf;
    Py_ssize_t count = PyList_Size(texts);
    found = PyBytes_FromStringAndSize(NULL, count);
    for (Py_ssize_t at = 0; found != NULL && at < count; at++) {
        int flags = flags_of(PyList_GetItem(texts, at), any, any + 128, any + 256);
        if (flags < 0) {
            Py_CLEAR(found);
        } else {
            PyBytes_AsString(found)[at] = (char)flags;
        }
    }
done:
    PyBuffer_Release(&tables);
    return found;
}

/* Returns the bytes of a text in UTF-8, NULL with an error set; a NUL follows them. */
static const uint8_t *bytes_of(PyObject *text, Py_ssize_t *size) {
    return (const uint8_t *)PyUnicode_AsUTF8AndSize(text, size);
}

static PyObject *neighbours(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *text;
    Py_buffer tables;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "Uy*:neighbours", &text, &tables)) {
        return NULL;
    }
    const uint8_t *bytes = bytes_of(text, &size), *first = tables.buf;
    long found = 0;
    if (bytes == NULL || tables.len != 2 * 256) {
        if (bytes != NULL) {
            PyErr_SetString(PyExc_ValueError, "these are no two tables of 256 flags");
        }
        PyBuffer_Release(&tables);
        return NULL;
    }
    for (Py_ssize_t at = 0; at < size; at++) {
        found |= first[bytes[at]] & first[256 + bytes[at + 1]];
    }
    PyBuffer_Release(&tables);
    return PyLong_FromLong(found);
}

static PyObject *replaced(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *text, *table, *found = NULL;
    Py_ssize_t size, lengths[128];
    const uint8_t *with[128], *bytes;
    if (!PyArg_ParseTuple(args, "UO!:replaced", &text, &PyTuple_Type, &table) ||
        (bytes = bytes_of(text, &size)) == NULL) {
        return NULL;
    }
    if (PyTuple_Size(table) != 128) {
        PyErr_SetString(PyExc_ValueError, "this is no table of 128 texts");
        return NULL;
    }
    size_t longest = 1;
    for (int code = 0; code < 128; code++) {
        PyObject *own = PyTuple_GetItem(table, code);
        if (!PyUnicode_Check(own) || (with[code] = bytes_of(own, &lengths[code])) == NULL) {
            PyErr_SetString(PyExc_TypeError, "not a text");
            return NULL;
        }
        longest = (size_t)lengths[code] > longest ? (size_t)lengths[code] : longest;
    }
    char *made = (size_t)size > PY_SSIZE_T_MAX / longest ? NULL : PyMem_Malloc((size_t)size * longest + 1);
    if (made == NULL) {
        return PyErr_NoMemory();
    }
    char *end = made;
    for (Py_ssize_t at = 0; at < size; at++) {
        uint8_t code = bytes[at];
        if (code & 0x80) {
            *end++ = (char)code;
        } else if (lengths[code] == 1) {
            *end++ = (char)with[code][0];
        } else {
            memcpy(end, with[code], (size_t)lengths[code]);
            end += lengths[code];
        }
    }
    found = PyUnicode_FromStringAndSize(made, end - made);
    PyMem_Free(made);
    return found;
}
