/* What a log tells, as far as somebody wants to read it: a log is a chain of rows, the newest first. */
#include "_native.h"

enum { LEFT_OUT, ALL, LAST_OF_THE_SAME, LAST, FIRST };    /* as in observe.py, of each event */

static PyObject *row_of(PyObject *row) { /* without who saw it */
    Py_ssize_t count = PyTuple_GET_SIZE(row);
    PyObject *found = PyTuple_New(count - 1);
    for (Py_ssize_t i = 0; found && i < count; i++)
        if (i != 1) PyTuple_SET_ITEM(found, i ? i - 1 : 0, Py_NewRef(PyTuple_GET_ITEM(row, i)));
    return found;
}
/* digest(chain, last, mask, kinds): the rows since `last` that those of the mask saw, by the kind of each event; and
   whether the chain goes on from there. */
PyObject *digest(PyObject *module, PyObject *args) {
    PyObject *chain, *last, *kinds;
    long long mask;
    if (!PyArg_ParseTuple(args, "OOLO!", &chain, &last, &mask, &PyBytes_Type, &kinds)) return NULL;
    PyObject *found = PyList_New(0), *seen = PySet_New(NULL), *first = NULL;
    int fine = found && seen;
    for (; fine && chain != Py_None && chain != last; chain = PyTuple_GET_ITEM(chain, 0)) {
        PyObject *row = PyTuple_GET_ITEM(chain, 1), *key = NULL;
        Py_ssize_t event = PyLong_AsSsize_t(PyTuple_GET_ITEM(row, 0));
        if (event < 0 || event >= PyBytes_GET_SIZE(kinds)) { PyErr_SetString(PyExc_ValueError, "event"); fine = 0; break; }
        char kind = PyBytes_AS_STRING(kinds)[event];
        if (kind == LEFT_OUT || !(PyLong_AsLongLong(PyTuple_GET_ITEM(row, 1)) & mask)) continue;
        if (kind == FIRST) { first = row; continue; }
        if (kind == ALL) PySet_Clear(seen);
        else {
            Py_ssize_t count = PyTuple_GET_SIZE(row);
            key = PyTuple_GetSlice(row, 0, kind == LAST ? 1 : count - 1);
            int known = key ? PySet_Contains(seen, key) : -1;
            if (known == 0) known = PySet_Add(seen, key);
            Py_XDECREF(key);
            if (known) { fine = known > 0; continue; }
        }
        PyObject *one = row_of(row);
        fine = one && PyList_Append(found, one) == 0;
        Py_XDECREF(one);
    }
    if (fine && first) {
        PyObject *one = row_of(first);
        fine = one && PyList_Append(found, one) == 0;
        Py_XDECREF(one);
    }
    Py_XDECREF(seen);
    if (!fine || PyErr_Occurred() || PyList_Reverse(found) < 0) { Py_XDECREF(found); return NULL; }
    return Py_BuildValue("NO", found, chain == last ? Py_True : Py_False);
}
