/* The compiled twin of pure.py: the same functions and classes, the same results, byte for byte. What each is for
 * stands there; tests/words/test_twins.py holds the two equal.
 *
 * For the limited API of Python 3.11, so that one build serves each later version. All input is bounds checked: texts
 * are other people's. Nothing here recurses, and no pointer into a table is kept over a call into Python.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include "_memo.h"
#include "_phrases.h"
#include "_runs.h"
#include "_simhash.h"
#include "_texts.h"

#define INTERFACE 5 /* as in pure.py */

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
    {"compounds", compounds, METH_O, NULL},
    {"run_keys", run_keys, METH_VARARGS, NULL},
    {"sim_hashes", sim_hashes, METH_VARARGS, NULL},
    {"text_flags", text_flags, METH_VARARGS, NULL},
    {"neighbours", neighbours, METH_VARARGS, NULL},
    {"replaced", replaced, METH_VARARGS, NULL},
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
