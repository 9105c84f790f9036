/* Plays the games whose rules were compiled to C, for Python. It knows no game: a game is a library with a table of
   functions (machine.h). What a library cannot do it leaves alone, and `fallback`, a function of Python, does it. */
#include "_native.h"
#include <dlfcn.h>
#include <structmember.h>

/* --- values ------------------------------------------------------------------------------------------------------- */
PyObject *given(Library *l, const Shape *shape, i64 x) {
    if (x == NOTHING) Py_RETURN_NONE;
    switch (shape->kind) {
    case NUMBER: return PyLong_FromLongLong(x);
    case TRUTH: return PyBool_FromLong(x > 0);
    case CHOSEN_NUMBER: return PyObject_CallFunction(l->number, "L", (long long)x);
    case MASK: {
        const i64 *atoms = l->game->universes[shape->of].atoms;
        PyObject *row = PyTuple_New(__builtin_popcountll((u64)x));
        Py_ssize_t i = 0;
        for (u64 rest = (u64)x; row && rest; rest &= rest - 1) {
            PyObject *one = PyLong_FromLongLong(atoms[__builtin_ctzll(rest)]);
            if (!one) { Py_DECREF(row); return NULL; }
            PyTuple_SET_ITEM(row, i++, one);
        }
        return row;
    }
    default: {
        i64 count;
        l->game->row(l->machine, x, &count);
        PyObject *row = PyTuple_New((Py_ssize_t)count);
        for (i64 i = 0; row && i < count; i++) {
            const i64 *cells = l->game->row(l->machine, x, &count);
            PyObject *one = given(l, l->game->shapes + shape->of, cells[i]);
            if (!one) { Py_DECREF(row); return NULL; }
            PyTuple_SET_ITEM(row, (Py_ssize_t)i, one);
        }
        return row;
    }
    }
}

/* The way back; 0, without an exception, if it is no value of this shape. */
int taken(Library *l, const Shape *shape, PyObject *from, i64 *x) {
    if (from == Py_None) { *x = NOTHING; return 1; }
    if (shape->kind == MASK || shape->kind == ROW) {
        if (!PyTuple_Check(from)) return 0;
        Py_ssize_t count = PyTuple_GET_SIZE(from);
        if (shape->kind == MASK) {
            const Universe *universe = l->game->universes + shape->of;
            u64 mask = 0;
            i64 place = 0;
            for (Py_ssize_t i = 0; i < count; i++) {
                long long atom = PyLong_Check(PyTuple_GET_ITEM(from, i)) ? PyLong_AsLongLong(PyTuple_GET_ITEM(from, i)) : -1;
                if (atom == -1) { PyErr_Clear(); return 0; }
                while (place < universe->count && universe->atoms[place] != atom) place++;
                if (place == universe->count) return 0; /* not of these, or not in their order */
                mask |= 1ull << place++;
            }
            *x = (i64)mask;
            return 1;
        }
        i64 few[32], *cells = count <= 32 ? few : PyMem_Malloc((size_t)count * sizeof(i64));
        int fits = cells != NULL;
        for (Py_ssize_t i = 0; fits && i < count; i++)
            fits = taken(l, l->game->shapes + shape->of, PyTuple_GET_ITEM(from, i), cells + i);
        if (fits) { *x = l->game->kept(l->machine, cells, (i64)count); fits = *x != NOTHING; }
        if (cells != few) PyMem_Free(cells);
        return fits;
    }
    if (!PyLong_Check(from)) return 0;
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(from, &overflow);
    if (overflow || (number == -1 && PyErr_Occurred())) { PyErr_Clear(); return 0; }
    *x = number;
    return shape->kind == TRUTH || (number >= shape->low && number <= shape->high);
}

int is_in(Library *l, i64 row, i64 atom) { /* of those who have won, for instance */
    i64 count = 0;
    const i64 *cells = row == NOTHING ? NULL : l->game->row(l->machine, row, &count);
    for (i64 i = 0; i < count; i++) if (cells[i] == atom) return 1;
    return 0;
}

/* --- slots -------------------------------------------------------------------------------------------------------- */
static int settle(Position *p);
PyObject *slots_of(Position *p) {
    Library *l = p->library;
    if (!settle(p)) return NULL;
    const Game *g = l->game;
    PyObject *list = PyList_New((Py_ssize_t)g->slots);
    for (i64 i = 0; list && i < g->slots; i++) {
        PyObject *value = NULL;
        const Shape *shape = g->shapes + g->slot_shapes[i];
        if (i == 1) value = Py_NewRef(p->log);
        else if (i == 2) value = p->v[1] ? PyLong_FromUnsignedLongLong((u64)p->v[2]) : Py_NewRef(Py_None);
        else if (i == 3) {
            if (p->v[3] == NOTHING) value = Py_NewRef(Py_None);
            else {
                PyObject *won = given(l, shape, p->v[3]), *scores = given(l, g->shapes + g->slot_shapes[5], p->v[5]);
                value = won && scores ? PyTuple_Pack(2, won, scores) : NULL;
                Py_XDECREF(won);
                Py_XDECREF(scores);
            }
        } else if (i == 5) value = Py_NewRef(p->held);
        else if (i == 8) value = PyBool_FromLong(p->v[8] > 0);
        else value = given(l, shape, p->v[i]);
        if (!value) { Py_DECREF(list); return NULL; }
        PyList_SET_ITEM(list, (Py_ssize_t)i, value);
    }
    return list;
}

int fill(Position *p, PyObject *list) { /* 0: that is no position of this game */
    Library *l = p->library;
    const Game *g = l->game;
    if (!PyList_Check(list) || PyList_GET_SIZE(list) != (Py_ssize_t)g->slots) return 0;
    p->told = 0;
    for (i64 i = 0; i < g->slots; i++) {
        PyObject *from = PyList_GET_ITEM(list, (Py_ssize_t)i);
        const Shape *shape = g->shapes + g->slot_shapes[i];
        if (i == 1) Py_XSETREF(p->log, Py_NewRef(from));
        else if (i == 2) {
            p->v[1] = from != Py_None;
            p->v[2] = 0;
            if (p->v[1]) {
                if (!PyLong_Check(from)) return 0;
                p->v[2] = (i64)PyLong_AsUnsignedLongLongMask(from);
                if (PyErr_Occurred()) { PyErr_Clear(); return 0; }
            }
        } else if (i == 3) {
            p->v[3] = p->v[5] = NOTHING;
            if (from != Py_None && (!PyTuple_Check(from) || PyTuple_GET_SIZE(from) != 2 ||
                                    !taken(l, shape, PyTuple_GET_ITEM(from, 0), p->v + 3) ||
                                    !taken(l, g->shapes + g->slot_shapes[5], PyTuple_GET_ITEM(from, 1), p->v + 5)))
                return 0;
        } else if (i == 5) {
            if (!PyTuple_Check(from)) return 0;
            Py_XSETREF(p->held, Py_NewRef(from));
        } else if (!taken(l, shape, from, p->v + i)) return 0;
    }
    moved(p);
    return p->v[0] >= 0 && p->v[0] < g->nodes && p->v[6] != NOTHING && p->v[8] != NOTHING;
}

void moved(Position *p) {
    p->offers = -1;
    p->over = p->v[0] == OVER ? Py_True : Py_False;
}

static void forget_choices(Library *l);
/* When too many rows have gathered: all positions as Python has them, and back into a machine that is empty. */
int tidy(Library *l) {
    if (l->game->rows(l->machine) < l->limit) return 1;
    PyObject *all = PyList_New(0);
    for (Position *p = l->first; all && p; p = p->after) {
        PyObject *slots = slots_of(p);
        if (!slots || PyList_Append(all, slots) < 0) Py_CLEAR(all);
        Py_XDECREF(slots);
    }
    if (!all) return 0;
    l->game->tidy(l->machine);
    forget_choices(l); /* rows have other numbers now */
    Py_ssize_t i = 0;
    for (Position *p = l->first; p; p = p->after) {
        if (!fill(p, PyList_GET_ITEM(all, i++))) { PyErr_SetString(PyExc_SystemError, "a position was lost"); break; }
    }
    Py_DECREF(all);
    l->limit = FEW_ROWS + 4 * l->game->rows(l->machine);
    return !PyErr_Occurred();
}

Position *new_position(Library *l) {
    Position *p = l->spare;
    if (p) {
        l->spare = NULL;
        PyObject_InitVar((PyVarObject *)p, &PositionType, (Py_ssize_t)l->game->slots);
    } else {
        p = PyObject_NewVar(Position, &PositionType, (Py_ssize_t)l->game->slots);
        if (!p) return NULL;
        p->offered = p->news = NULL;
        p->room = 0;
        p->offer_room = 0;
    }
    Py_INCREF(l);
    p->library = l;
    p->log = Py_NewRef(Py_None);
    p->held = PyTuple_New(0);
    p->told = 0;
    p->before = NULL;
    p->after = l->first;
    if (l->first) l->first->before = p;
    l->first = p;
    for (i64 i = 0; i < l->game->slots; i++) p->v[i] = 0;
    moved(p);
    return p;
}

static void freed(Position *p) {
    PyMem_Free(p->offered);
    PyMem_Free(p->news);
    PyObject_Free(p);
}
static void position_gone(Position *p) {
    Library *l = p->library;
    if (p->before) p->before->after = p->after; else p->library->first = p->after;
    if (p->after) p->after->before = p->before;
    PyObject *log = p->log; /* a chain as long as the game, which must not be let go of link by link, deeper and deeper */
    p->log = NULL;
    while (log && Py_REFCNT(log) == 1 && PyTuple_CheckExact(log)) {
        PyObject *next = Py_NewRef(PyTuple_GET_ITEM(log, 0));
        Py_DECREF(log);
        log = next;
    }
    Py_XDECREF(log);
    Py_XDECREF(p->held);
    if (l->spare) freed(p);
    else l->spare = p;
    Py_DECREF(l);
}

/* --- choices ------------------------------------------------------------------------------------------------------ */
const Way *way_of(Library *l, i64 node, i64 atom) {
    const Game *g = l->game;
    for (i64 i = l->first_way[node]; i >= 0 && i < g->ways && g->way[i].node == node; i++)
        if (g->way[i].atom < 0 || g->way[i].atom == atom) return g->way + i;
    return NULL;
}

static PyObject *choice_made(Library *l, i64 node, const i64 *choice) {
    const Way *way = way_of(l, node, choice[0]);
    i64 first = way && way->atom >= 0;
    if (!way) { PyErr_SetString(PyExc_SystemError, "no such way"); return NULL; }
    PyObject *found = PyTuple_New((Py_ssize_t)(way->count + first));
    if (found && first) PyTuple_SET_ITEM(found, 0, PyLong_FromLongLong(way->atom));
    for (i64 i = 0; found && i < way->count; i++) {
        PyObject *part = given(l, l->game->shapes + way->shapes[i], choice[first + i]);
        if (!part) { Py_DECREF(found); return NULL; }
        PyTuple_SET_ITEM(found, (Py_ssize_t)(first + i), part);
    }
    return found;
}

static inline int same(const i64 *one, const i64 *two, i64 count) { /* a few numbers: quicker than memcmp */
    while (count && *one == *two) one++, two++, count--;
    return !count;
}

/* The same choices are offered again and again: of each a tuple is made once, as long as no other takes its place. There
   are two places for each: rows are numbered one after the other, and what is made of two of them comes close together. */
static inline int is_at(Library *l, size_t place, i64 node, const i64 *choice) {
    const i64 *known = l->known + place * (size_t)(l->game->parts + 1);
    return l->made[place] && known[0] == node && same(known + 1, choice, l->game->parts);
}
PyObject *choice_given(Library *l, i64 node, const i64 *choice) {
    i64 parts = l->game->parts;
    u64 hash = (u64)node;
    for (i64 i = 0; i < parts; i++) hash = hash * 0xD1B54A32D192ED03ull + (u64)choice[i];
    size_t place = (size_t)(hash * 0x9E3779B97F4A7C15ull >> (64 - CHOICE_BITS));
    if (is_at(l, place, node, choice)) return Py_NewRef(l->made[place]);
    if (is_at(l, place ^ 1, node, choice)) return Py_NewRef(l->made[place ^ 1]);
    PyObject *made = choice_made(l, node, choice);
    if (!made) return NULL;
    if (l->made[place] && !l->made[place ^ 1]) place ^= 1;
    i64 *known = l->known + place * (size_t)(parts + 1);
    known[0] = node;
    memcpy(known + 1, choice, (size_t)parts * sizeof(i64));
    Py_XSETREF(l->made[place], made);
    return Py_NewRef(made);
}
static void forget_choices(Library *l) {
    for (size_t i = 0; l->made && i < CHOICES; i++) Py_CLEAR(l->made[i]);
}

int choice_taken(Position *p, PyObject *from, i64 *choice) {
    Library *l = p->library;
    if (!PyTuple_CheckExact(from) || !PyTuple_GET_SIZE(from)) return 0;
    PyObject *head = PyTuple_GET_ITEM(from, 0);
    i64 atom = -1;
    if (PyLong_Check(head)) {
        atom = PyLong_AsLongLong(head);
        if (atom == -1 && PyErr_Occurred()) { PyErr_Clear(); return 0; }
    }
    const Way *way = way_of(l, p->v[0], atom);
    i64 first = way && way->atom >= 0;
    if (!way || PyTuple_GET_SIZE(from) != (Py_ssize_t)(way->count + first)) return 0;
    memset(choice, 0, (size_t)l->game->parts * sizeof(i64));
    if (first) choice[0] = atom;
    for (i64 i = 0; i < way->count; i++) {
        PyObject *part = PyTuple_GET_ITEM(from, (Py_ssize_t)(first + i));
        if (part == Py_None || PyBool_Check(part)) return 0;
        if (!taken(l, l->game->shapes + way->shapes[i], part, choice + first + i)) return 0;
    }
    return 1;
}

/* --- what Python does instead ------------------------------------------------------------------------------------- */
PyObject *fall_back(Position *p, const char *what, PyObject *args) {
    PyObject *slots = slots_of(p), *result = NULL;
    if (slots) {
        PyObject *both = PyObject_CallFunction(p->library->fallback, "OsO", slots, what, args);
        if (both && PyTuple_Check(both) && PyTuple_GET_SIZE(both) == 2) {
            if (fill(p, PyTuple_GET_ITEM(both, 1))) result = Py_NewRef(PyTuple_GET_ITEM(both, 0));
            else PyErr_SetString(PyExc_OverflowError, "this goes beyond what can be played natively");
        }
        Py_XDECREF(both);
        Py_DECREF(slots);
    }
    return result;
}
static PyObject *fall_back_plain(Position *p, const char *what) {
    PyObject *none = PyTuple_New(0), *found = none ? fall_back(p, what, none) : NULL;
    Py_XDECREF(none);
    return found;
}

/* --- a position --------------------------------------------------------------------------------------------------- */
int list_offers(Position *p) { /* 1: listed, 0: not to be done here */
    const Game *g = p->library->game;
    if (p->offers >= 0) return 1;
    const i64 *choices;
    i64 count = g->node_kinds[p->v[0]] == END ? TROUBLE : g->legal(p->library->machine, p->v, &choices);
    if (count < 0) return 0;
    if (count * g->parts > p->offer_room) {
        i64 *more = PyMem_Realloc(p->offered, (size_t)(count * g->parts) * sizeof(i64));
        if (!more) return 0;
        p->offered = more;
        p->offer_room = count * g->parts;
    }
    memcpy(p->offered, choices, (size_t)(count * g->parts) * sizeof(i64));
    p->offers = count;
    return 1;
}

static PyObject *position_legal(Position *p, PyObject *unused) {
    if (!list_offers(p)) return fall_back_plain(p, "legal");
    i64 parts = p->library->game->parts;
    PyObject *list = PyList_New((Py_ssize_t)p->offers);
    for (i64 i = 0; list && i < p->offers; i++) {
        PyObject *one = choice_given(p->library, p->v[0], p->offered + parts * i);
        if (!one) { Py_DECREF(list); return NULL; }
        PyList_SET_ITEM(list, (Py_ssize_t)i, one);
    }
    return list;
}

static PyObject *told_row(Library *l, i64 event, u64 mask, const i64 *values) {
    const Telling *telling = l->game->telling + event;
    PyObject *row = PyTuple_New((Py_ssize_t)telling->count + 2);
    if (!row) return NULL;
    PyTuple_SET_ITEM(row, 0, PyLong_FromLongLong(event));
    PyTuple_SET_ITEM(row, 1, PyLong_FromLongLong((i64)mask));
    for (i64 i = 0; i < telling->count; i++) {
        PyObject *one = given(l, l->game->shapes + telling->shapes[i], values[i]);
        if (!one) { Py_DECREF(row); return NULL; }
        PyTuple_SET_ITEM(row, (Py_ssize_t)i + 2, one);
    }
    return row;
}
static int link_row(Position *p, PyObject *row) { /* takes the row */
    PyObject *link = row ? PyTuple_Pack(2, p->log, row) : NULL;
    Py_XDECREF(row);
    if (link) Py_SETREF(p->log, link);
    return link != NULL;
}
static int write_row(Position *p, i64 event, u64 mask, i64 planner, const i64 *values) {
    if (planner < 0) return link_row(p, told_row(p->library, event, mask, values));
    PyObject *row = told_row(p->library, event, mask, values), *one = row ? PyTuple_Pack(1, row) : NULL;
    PyObject *held = one ? PySequence_Concat(p->held, one) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(row);
    if (!held) return 0;
    Py_SETREF(p->held, held);
    return !(mask & (u64)planner) || link_row(p, told_row(p->library, event, mask & (u64)planner, values));
}
static int write_held(Position *p, u64 planner) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(p->held); i++) {
        PyObject *event = PyTuple_GET_ITEM(p->held, i);
        long long others = PyLong_AsLongLong(PyTuple_GET_ITEM(event, 1)) & (i64)~planner;
        if (!others) continue;
        Py_ssize_t count = PyTuple_GET_SIZE(event);
        PyObject *row = PyTuple_New(count);
        for (Py_ssize_t k = 0; row && k < count; k++)
            PyTuple_SET_ITEM(row, k, k == 1 ? PyLong_FromLongLong(others) : Py_NewRef(PyTuple_GET_ITEM(event, k)));
        if (!link_row(p, row)) return 0;
    }
    Py_SETREF(p->held, PyTuple_New(0));
    return p->held != NULL;
}

/* While the machine runs, what it tells is only noted; it becomes rows of a log when somebody wants to see them. */
static void note(Position *p, i64 a, i64 b, i64 c, i64 count, const i64 *values) {
    size_t wanted = p->told + 3 + (size_t)count;
    if (wanted > p->room) {
        size_t room = 2 * wanted + 64;
        i64 *more = p->room == SIZE_MAX ? NULL : PyMem_Realloc(p->news, room * sizeof(i64));
        if (!more) { p->room = SIZE_MAX; return; } /* no memory: told by whoever asked the machine */
        p->news = more;
        p->room = room;
    }
    i64 *to = p->news + p->told;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    for (i64 i = 0; i < count; i++) to[3 + i] = values[i];
    p->told = wanted;
}
void hear(void *whom, i64 event, u64 mask, i64 planner, const i64 *values) {
    Position *p = whom;
    note(p, event, (i64)mask, planner, p->library->game->telling[event].count, values);
}
void hear_all(void *whom, u64 planner) { note(whom, -1, (i64)planner, 0, 0, NULL); }

static int settle(Position *p) {
    for (size_t i = 0; i < p->told;) {
        const i64 *from = p->news + i;
        i += 3;
        if (from[0] < 0) { if (!write_held(p, (u64)from[1])) return 0; }
        else {
            i += (size_t)p->library->game->telling[from[0]].count;
            if (!write_row(p, from[0], (u64)from[1], from[2], from + 3)) return 0;
        }
    }
    p->told = 0;
    return 1;
}
int went_deaf(Position *p) {
    if (p->room != SIZE_MAX) return 0;
    p->room = 0;
    PyMem_Free(p->news);
    p->news = NULL;
    PyErr_NoMemory();
    return 1;
}

PyObject *position_apply(Position *p, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    Library *l = p->library;
    const Game *g = l->game;
    int trusted = count > 1 ? PyObject_IsTrue(args[1]) : 0;
    if (count < 1 || count > 2 || (names && PyTuple_GET_SIZE(names) > 1)) {
        PyErr_SetString(PyExc_TypeError, "apply(choice, trusted=False)");
        return NULL;
    }
    if (names && PyTuple_GET_SIZE(names)) trusted = PyObject_IsTrue(args[count]);
    i64 *choice = l->choice;
    int known = choice_taken(p, args[0], choice);
    if (known && !trusted) {
        known = list_offers(p);
        if (known) {
            i64 i = 0;
            while (i < p->offers && !same(p->offered + g->parts * i, choice, g->parts)) i++;
            known = i < p->offers;
        }
    }
    if (known) {
        size_t size = (size_t)g->slots * sizeof(i64);
        i64 few[256], *before = g->slots <= 256 ? few : PyMem_Malloc(size);
        if (!before) return PyErr_NoMemory();
        memcpy(before, p->v, size);
        size_t told = p->told;
        int done = g->apply(l->machine, p->v, choice, hear, hear_all, p);
        if (done == FINE) moved(p);
        else {
            memcpy(p->v, before, size);
            p->told = told;
        }
        if (before != few) PyMem_Free(before);
        if (went_deaf(p)) return NULL;
        if (done == FINE) {
            if (!tidy(l)) return NULL;
            Py_RETURN_NONE;
        }
    }
    PyObject *both = Py_BuildValue("(OO)", args[0], trusted ? Py_True : Py_False);
    PyObject *found = both ? fall_back(p, "apply", both) : NULL;
    Py_XDECREF(both);
    return found;
}

static PyObject *position_clone(Position *p, PyObject *unused) {
    Position *copy = settle(p) ? new_position(p->library) : NULL;
    if (!copy) return NULL;
    memcpy(copy->v, p->v, (size_t)p->library->game->slots * sizeof(i64));
    moved(copy);
    Py_SETREF(copy->log, Py_NewRef(p->log));
    Py_SETREF(copy->held, Py_NewRef(p->held));
    return (PyObject *)copy;
}
static PyObject *position_state(Position *p, PyObject *unused) {
    PyObject *slots = slots_of(p), *found = slots ? PyObject_CallOneArg(p->library->make, slots) : NULL;
    Py_XDECREF(slots);
    return found;
}
static PyObject *position_compare(PyObject *a, PyObject *b, int how) { /* with states, too */
    PyObject *one = Py_TYPE(a) == &PositionType ? position_state((Position *)a, NULL) : Py_NewRef(a);
    PyObject *two = Py_TYPE(b) == &PositionType ? position_state((Position *)b, NULL) : Py_NewRef(b);
    PyObject *found = one && two ? PyObject_RichCompare(one, two, how) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(two);
    return found;
}
static Py_hash_t position_hash(Position *p) {
    PyObject *state = position_state(p, NULL);
    Py_hash_t found = state ? PyObject_Hash(state) : -1;
    Py_XDECREF(state);
    return found;
}
static PyObject *position_reduce(Position *p, PyObject *unused) {
    PyObject *state = position_state(p, NULL);
    return state ? Py_BuildValue("O(N)", p->library->revived, state) : NULL;
}
static PyObject *position_slots(Position *p, PyObject *unused) { return slots_of(p); }

static PyObject *sums_of(Library *l, const i64 *from, PyObject *args) {
    unsigned long long seed;
    long long games, most;
    int habits;
    if (!PyArg_ParseTuple(args, "KLpL", &seed, &games, &habits, &most)) return NULL;
    i64 seats = l->game->seats, *cells = PyMem_Calloc((size_t)(2 * seats) + 1, sizeof(i64));
    if (!cells) return PyErr_NoMemory();
    Sums sums = {0, 0, 0, cells, cells + seats};
    l->game->play(l->machine, from, seed, games, habits, most, &sums);
    PyObject *wins = PyTuple_New((Py_ssize_t)seats), *scores = PyTuple_New((Py_ssize_t)seats);
    for (i64 i = 0; wins && scores && i < seats; i++) {
        PyTuple_SET_ITEM(wins, (Py_ssize_t)i, PyLong_FromLongLong(sums.wins[i]));
        PyTuple_SET_ITEM(scores, (Py_ssize_t)i, PyLong_FromLongLong(sums.scores[i]));
    }
    PyMem_Free(cells);
    if (!tidy(l)) return NULL;
    return Py_BuildValue("LLLNN", (long long)sums.games, (long long)sums.decisions, (long long)sums.unfinished, wins, scores);
}
static PyObject *position_play(Position *p, PyObject *args) { return sums_of(p->library, p->v, args); }

static PyObject *position_perft(Position *p, PyObject *args) {
    long long depth, most;
    if (!PyArg_ParseTuple(args, "LL", &depth, &most)) return NULL;
    if (depth < 0 || depth > 1000) { PyErr_SetString(PyExc_ValueError, "depth"); return NULL; }
    i64 *cells = PyMem_Calloc(2 * (size_t)(depth + 1), sizeof(i64));
    if (!cells) return PyErr_NoMemory();
    i64 left = p->library->game->perft(p->library->machine, p->v, depth, most, cells, cells + depth + 1);
    PyObject *found = NULL;
    if (left < 0) found = PyLong_FromLongLong(left);
    else if ((found = PyList_New((Py_ssize_t)(2 * (depth + 1)))))
        for (i64 i = 0; i < 2 * (depth + 1); i++) PyList_SET_ITEM(found, (Py_ssize_t)i, PyLong_FromLongLong(cells[i]));
    PyMem_Free(cells);
    if (!tidy(p->library)) return NULL;
    return found;
}
static PyObject *position_sample(Position *p, PyObject *args) {
    unsigned long long state;
    int habits;
    if (!PyArg_ParseTuple(args, "Kp", &state, &habits)) return NULL;
    Chooser chooser = {state, NULL, NULL};
    Library *l = p->library;
    if (l->game->sample(l->machine, p->v, &chooser, habits, l->choice) != FINE) Py_RETURN_NONE;
    return Py_BuildValue("NK", choice_given(l, p->v[0], l->choice), (unsigned long long)chooser.state);
}
static PyObject *position_actor(Position *p, void *unused) {
    Library *l = p->library;
    i64 kind = l->game->node_kinds[p->v[0]], atom;
    if (kind == END) Py_RETURN_NONE;
    if (kind == CHANCE) return Py_NewRef(PyTuple_GET_ITEM(l->names, PyTuple_GET_SIZE(l->names) - 1));
    atom = l->game->actor(l->machine, p->v);
    if (atom < 0 || atom >= PyTuple_GET_SIZE(l->names)) return fall_back_plain(p, "actor");
    return Py_NewRef(PyTuple_GET_ITEM(l->names, (Py_ssize_t)atom));
}

static PyObject *position_told(Position *p, void *unused) { return settle(p) ? Py_NewRef(p->log) : NULL; }
static PyObject *position_number(Position *p, void *unused) { return PyLong_FromLongLong(p->v[0]); }

static PyMethodDef position_methods[] = {
    {"legal", (PyCFunction)position_legal, METH_NOARGS, "All choices that the rules offer now."},
    {"apply", (PyCFunction)(void (*)(void))position_apply, METH_FASTCALL | METH_KEYWORDS, "Make a choice."},
    {"clone", (PyCFunction)position_clone, METH_NOARGS, "A copy."},
    {"state", (PyCFunction)position_state, METH_NOARGS, "The same as a State."},
    {"__reduce__", (PyCFunction)position_reduce, METH_NOARGS, "For pickle."},
    {"slots", (PyCFunction)position_slots, METH_NOARGS, "The slots of a State that is the same."},
    {"play", (PyCFunction)position_play, METH_VARARGS, "play(seed, games, habits, most): random games from here."},
    {"perft", (PyCFunction)position_perft, METH_VARARGS, "perft(depth, most): nodes, then finished games, by depth."},
    {"sample", (PyCFunction)position_sample, METH_VARARGS, "sample(generator, habits): a choice, and the generator."},
    {"deals", (PyCFunction)position_deals, METH_VARARGS, "deals(…): all ways in which chance may go, see _worlds.c."},
    {"wander", (PyCFunction)position_wander, METH_VARARGS, "wander(table, choice, most): see _table.c."},
    {NULL}};
static PyMemberDef position_members[] = {
    {"over", T_OBJECT_EX, offsetof(Position, over), READONLY, "Is the game over?"},
    {NULL}};
static PyGetSetDef position_values[] = {
    {"actor", (getter)position_actor, NULL, "Who decides now.", NULL},
    {"told", (getter)position_told, NULL, "What was told, as a State keeps it.", NULL},
    {"number", (getter)position_number, NULL, "Of the question that is asked now.", NULL},
    {NULL}};
PyTypeObject PositionType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tabarro.interpreter._native.Position",
    .tp_basicsize = sizeof(Position),
    .tp_itemsize = sizeof(i64),
    .tp_dealloc = (destructor)position_gone,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A position of a game whose rules were compiled to C.",
    .tp_richcompare = position_compare,
    .tp_hash = (hashfunc)position_hash,
    .tp_methods = position_methods,
    .tp_members = position_members,
    .tp_getset = position_values,
};

/* --- a library ---------------------------------------------------------------------------------------------------- */
static int library_traverse(Library *l, visitproc visit, void *arg) {
    Py_VISIT(l->number);
    Py_VISIT(l->fallback);
    Py_VISIT(l->names);
    Py_VISIT(l->make);
    Py_VISIT(l->revived);
    Py_VISIT(l->opening_log);
    return 0;
}
static int library_clear(Library *l) {
    Py_CLEAR(l->number);
    Py_CLEAR(l->fallback);
    Py_CLEAR(l->names);
    Py_CLEAR(l->make);
    Py_CLEAR(l->revived);
    Py_CLEAR(l->opening_log);
    return 0;
}
static void library_gone(Library *l) {
    PyObject_GC_UnTrack(l);
    library_clear(l);
    if (l->spare) freed(l->spare);
    if (l->machine) l->game->gone(l->machine);
    if (l->handle) dlclose(l->handle);
    PyMem_Free(l->first_way);
    PyMem_Free(l->choice);
    forget_choices(l);
    PyMem_Free(l->made);
    PyMem_Free(l->known);
    PyObject_GC_Del(l);
}
static PyObject *library_new(Library *l, PyObject *seed) { /* None: chance is asked */
    Position *p = new_position(l);
    if (!p) return NULL;
    int done = l->game->begin(l->machine, p->v);
    if (done == FINE && seed != Py_None) {
        u64 number = PyLong_AsUnsignedLongLongMask(seed);
        if (PyErr_Occurred()) { Py_DECREF(p); return NULL; }
        p->v[1] = 1;
        p->v[2] = (i64)scrambled(number);
        done = l->game->go_on(l->machine, p->v, hear, hear_all, p);
        if (went_deaf(p)) { Py_DECREF(p); return NULL; }
    }
    Py_SETREF(p->log, Py_NewRef(l->opening_log));
    moved(p);
    if (done == FINE) return (PyObject *)p;
    Py_DECREF(p);
    Py_RETURN_NONE;
}
static PyObject *library_at(Library *l, PyObject *slots) { /* None: that cannot be said here */
    Position *p = new_position(l);
    if (p && !fill(p, slots)) { Py_DECREF(p); if (PyErr_Occurred()) return NULL; Py_RETURN_NONE; }
    return (PyObject *)p;
}
static PyObject *library_play(Library *l, PyObject *args) { return sums_of(l, NULL, args); }
static PyMethodDef library_methods[] = {
    {"new", (PyCFunction)library_new, METH_O, "new(seed): a new game, with chance in it or None; None, if it cannot begin."},
    {"at", (PyCFunction)library_at, METH_O, "The position with these slots."},
    {"play", (PyCFunction)library_play, METH_VARARGS, "play(seed, games, habits, most): random games."},
    {"advance", (PyCFunction)library_advance, METH_VARARGS, "advance(positions, choices, trusted): of each its own."},
    {"think", (PyCFunction)library_think, METH_VARARGS, "think(…): a tree search, see _search.c."},
    {"keep", (PyCFunction)library_keep, METH_VARARGS, "keep(positions, choice, mask, rows, trusted): see _worlds.c."},
    {NULL}};
PyTypeObject LibraryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tabarro.interpreter._native.Library",
    .tp_basicsize = sizeof(Library),
    .tp_dealloc = (destructor)library_gone,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)library_traverse,
    .tp_clear = (inquiry)library_clear,
    .tp_doc = "The rules of a game, compiled to C.",
    .tp_methods = library_methods,
};

static PyObject *opened(PyObject *module, PyObject *args) {
    const char *path;
    PyObject *number, *fallback, *make, *revived, *names, *log;
    if (!PyArg_ParseTuple(args, "sOOOOO!O", &path, &number, &fallback, &make, &revived, &PyTuple_Type, &names, &log)) return NULL;
    Library *l = PyObject_GC_New(Library, &LibraryType);
    if (!l) return NULL;
    memset((char *)l + sizeof(PyObject), 0, sizeof(Library) - sizeof(PyObject));
    l->number = Py_NewRef(number);
    l->fallback = Py_NewRef(fallback);
    l->names = Py_NewRef(names);
    l->make = Py_NewRef(make);
    l->revived = Py_NewRef(revived);
    l->opening_log = Py_NewRef(log);
    PyObject_GC_Track(l);
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    l->game = l->handle ? dlsym(l->handle, "tabarro_game") : NULL;
    if (!l->game || l->game->version != MACHINE_VERSION || !(l->machine = l->game->made())) {
        PyErr_SetString(PyExc_OSError, "no game can be loaded from there");
        Py_DECREF(l);
        return NULL;
    }
    l->first_way = PyMem_Malloc((size_t)l->game->nodes * sizeof(i64));
    l->choice = PyMem_Calloc((size_t)l->game->parts + 1, sizeof(i64));
    l->made = PyMem_Calloc(CHOICES, sizeof(PyObject *));
    l->known = PyMem_Malloc(CHOICES * (size_t)(l->game->parts + 1) * sizeof(i64));
    if (!l->first_way || !l->choice || !l->made || !l->known) { Py_DECREF(l); return PyErr_NoMemory(); }
    l->limit = FEW_ROWS;
    for (i64 i = 0; i < l->game->nodes; i++) l->first_way[i] = -1;
    for (i64 i = l->game->ways; i--;) l->first_way[l->game->way[i].node] = i;
    return (PyObject *)l;
}

static PyMethodDef functions[] = {
    {"digest", digest, METH_VARARGS, "digest(chain, last, mask, kinds): see _log.c."},
    {"open", opened, METH_VARARGS, "open(path, number, fallback, make, revived, names, log): the library of a game."},
    {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_native", NULL, -1, functions};

PyMODINIT_FUNC PyInit__native(void) {
    PyTypeObject *types[] = {&LibraryType, &PositionType, &LuckType, &TableType};
    PyObject *made = PyModule_Create(&module);
    for (size_t i = 0; made && i < sizeof types / sizeof *types; i++)
        if (PyModule_AddType(made, types[i]) < 0) Py_CLEAR(made);
    if (made && PyModule_AddIntConstant(made, "extension", EXTENSION) < 0) Py_CLEAR(made);
    return made;
}
