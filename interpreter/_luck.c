/* The luck of somebody who chooses: the numbers of Python's random.Random (the Mersenne twister), where a library can go
   on with them. So a bot draws the same numbers whoever makes its choice. */
#include "_native.h"

static void renew(Luck *luck) {
    u32 *s = luck->state;
    memcpy(luck->before, s, sizeof luck->before);
    luck->renewed = 1;
    for (int i = 0; i < 624; i++) {
        u32 both = (s[i] & 0x80000000u) | (s[(i + 1) % 624] & 0x7fffffffu);
        s[i] = s[(i + 397) % 624] ^ both >> 1 ^ (both & 1 ? 0x9908b0dfu : 0);
    }
    luck->index = 0;
}
static u32 next_word(Luck *luck) {
    if (luck->index >= 624) renew(luck);
    u32 y = luck->state[luck->index++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}
double next_random(void *source) {
    Luck *luck = source;
    u32 high = next_word(luck) >> 5, low = next_word(luck) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}
i64 any_below(Luck *luck, i64 n) {
    int bits = 64 - __builtin_clzll((u64)n);
    for (;;) {
        i64 found = next_word(luck) >> (32 - bits);
        if (found < n) return found;
    }
}

/* Of a choice that could not be made: as if it had never been tried. */
void mark_luck(Luck *luck) { luck->renewed = 0; }
void back_to_mark(Luck *luck, int index) {
    if (luck->renewed) memcpy(luck->state, luck->before, sizeof luck->state);
    luck->index = index;
}

static PyObject *luck_made(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *words;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &words)) return NULL;
    if (PyTuple_GET_SIZE(words) != 625) { PyErr_SetString(PyExc_ValueError, "625 numbers of random.Random"); return NULL; }
    Luck *luck = (Luck *)type->tp_alloc(type, 0);
    for (int i = 0; luck && i < 625; i++) {
        unsigned long word = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(words, i));
        if (i < 624) luck->state[i] = (u32)word; else luck->index = (int)word;
    }
    if (luck && (PyErr_Occurred() || luck->index < 0 || luck->index > 624)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "not as random.Random has it");
        Py_CLEAR(luck);
    }
    return (PyObject *)luck;
}
static PyObject *luck_random(Luck *luck, PyObject *unused) { return PyFloat_FromDouble(next_random(luck)); }
static PyObject *luck_bits(Luck *luck, PyObject *wanted) {
    long bits = PyLong_AsLong(wanted);
    if (bits < 0) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "bits"); return NULL; }
    if (bits <= 32) return PyLong_FromUnsignedLong(bits ? next_word(luck) >> (32 - bits) : 0);
    PyObject *found = PyLong_FromLong(0);
    for (long done = 0; found && done < bits; done += 32) {
        u32 word = next_word(luck);
        if (bits - done < 32) word >>= 32 - (bits - done);
        PyObject *part = PyLong_FromUnsignedLong(word), *by = PyLong_FromLong(done);
        PyObject *moved = part && by ? PyNumber_Lshift(part, by) : NULL, *both = moved ? PyNumber_Or(found, moved) : NULL;
        Py_XDECREF(part);
        Py_XDECREF(by);
        Py_XDECREF(moved);
        Py_SETREF(found, both);
    }
    return found;
}
static PyMethodDef luck_methods[] = {
    {"random", (PyCFunction)luck_random, METH_NOARGS, "As random.Random.random."},
    {"getrandbits", (PyCFunction)luck_bits, METH_O, "As random.Random.getrandbits."},
    {NULL}};
PyTypeObject LuckType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tabarro.interpreter._native.Luck",
    .tp_basicsize = sizeof(Luck),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Luck(numbers): goes on as a random.Random with this state.",
    .tp_new = luck_made,
    .tp_methods = luck_methods,
};
