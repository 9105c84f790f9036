/* Many positions at once: they go on together, and are compared with what somebody was told. */
#include "_native.h"

typedef struct { i64 event; i64 *values; } Told;
typedef struct {                                          /* what a seat was told, beside what it would be told */
    Library *library;
    const Told *rows;
    Position *writer;                                     /* who writes it down, too */
    i64 count, at;
    u64 mask;
    int fits, midway, too_long, planned;                  /* planned: somebody's plan holds rows back */
} Reading;

static void compare(void *whom, i64 event, u64 mask, i64 planner, const i64 *values) {
    Reading *r = whom;
    if (r->writer) hear(r->writer, event, mask, planner, values);
    if (planner >= 0) r->planned = 1;
    if (!r->fits || !(mask & r->mask)) return;
    if (r->at >= r->count) {
        r->too_long = 1;
        if (!r->midway) r->fits = 0;
    } else {
        const Told *row = r->rows + r->at;
        size_t size = (size_t)r->library->game->telling[event].count * sizeof(i64);
        if (row->event != event || memcmp(row->values, values, size)) r->fits = 0;
    }
    r->at++;
}
static void compare_all(void *whom, u64 planner) {
    Reading *r = whom;
    if (r->writer) hear_all(r->writer, planner);
}

static void forget_rows(Told *rows, Py_ssize_t count) {
    for (Py_ssize_t i = 0; rows && i < count; i++) PyMem_Free(rows[i].values);
    PyMem_Free(rows);
}
/* Rows of a log, as the machine tells them; NULL without an exception: they cannot be said here. */
static Told *rows_from(Library *l, PyObject *list) {
    Py_ssize_t count = PyList_GET_SIZE(list);
    Told *rows = PyMem_Calloc((size_t)count + 1, sizeof(Told));
    for (Py_ssize_t i = 0; rows && i < count; i++) {
        PyObject *row = PyList_GET_ITEM(list, i);
        i64 event = PyTuple_Check(row) && PyTuple_GET_SIZE(row) ? PyLong_AsLongLong(PyTuple_GET_ITEM(row, 0)) : -1;
        int fits = event >= 0 && event < l->game->events;
        const Telling *telling = fits ? l->game->telling + event : NULL;
        fits = fits && PyTuple_GET_SIZE(row) == (Py_ssize_t)telling->count + 1;
        rows[i].event = event;
        rows[i].values = fits ? PyMem_Malloc(((size_t)telling->count + 1) * sizeof(i64)) : NULL;
        fits = fits && rows[i].values;
        for (i64 k = 0; fits && k < telling->count; k++)
            fits = taken(l, l->game->shapes + telling->shapes[k], PyTuple_GET_ITEM(row, (Py_ssize_t)k + 1), rows[i].values + k);
        if (!fits) { PyErr_Clear(); forget_rows(rows, count); return NULL; }
    }
    return rows;
}

/* --- all ways in which chance may go ------------------------------------------------------------------------------ */
typedef struct { i64 depth, hidden, told, at; int fits; } Way_here;
typedef struct { i64 *states; Way_here *ways; size_t count, room; } Stack;

static i64 *pushed(Library *l, Stack *stack, Way_here way, const i64 *v) {
    size_t slots = (size_t)l->game->slots;
    if (stack->count == stack->room) {
        size_t room = stack->room ? 2 * stack->room : 64;
        i64 *states = PyMem_Realloc(stack->states, room * slots * sizeof(i64));
        if (states) stack->states = states;
        Way_here *ways = PyMem_Realloc(stack->ways, room * sizeof(Way_here));
        if (ways) stack->ways = ways;
        if (!states || !ways) return NULL;
        stack->room = room;
    }
    stack->ways[stack->count] = way;
    return memcpy(stack->states + slots * stack->count++, v, slots * sizeof(i64));
}
static int is_chance(Library *l, const i64 *v) {
    i64 kind = l->game->node_kinds[v[0]];
    if (kind != ASK) return kind == CHANCE;
    i64 atom = l->game->actor(l->machine, v);
    Py_ssize_t last = PyTuple_GET_SIZE(l->names) - 1;
    return atom < 0 || atom > last ? TROUBLE
                                   : PyUnicode_Compare(PyTuple_GET_ITEM(l->names, (Py_ssize_t)atom), PyTuple_GET_ITEM(l->names, last)) == 0;
}
static i64 times_in_pool(Library *l, const i64 *v, i64 atom) {
    i64 slot = l->game->pools[v[0]], count, found = 0;
    if (l->game->shapes[l->game->slot_shapes[slot]].kind == MASK) return 1;
    const i64 *cells = l->game->row(l->machine, v[slot], &count);
    for (i64 i = 0; i < count; i++) found += cells[i] == atom;
    return found;
}
/* What is not needed for somebody's own rows comes first, as in Dealing._ways: `wanted` has pairs of a thing and how often. */
static int put_spare_first(Library *l, const i64 *v, i64 *choices, i64 count, PyObject *wanted) {
    i64 parts = l->game->parts, spare = 0;
    if (l->game->node_kinds[v[0]] != CHANCE || !PyTuple_GET_SIZE(wanted)) return 1;
    i64 *sorted = PyMem_Malloc((size_t)(count * (parts + 1)) * sizeof(i64)), *is_spare = sorted + count * parts;
    if (!sorted) return 0;
    for (i64 i = 0; i < count; i++) {
        i64 needed = 0, atom = choices[parts * i];
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(wanted); k++) {
            PyObject *pair = PyTuple_GET_ITEM(wanted, k);
            if (PyLong_AsLongLong(PyTuple_GET_ITEM(pair, 0)) == atom) needed = PyLong_AsLongLong(PyTuple_GET_ITEM(pair, 1));
        }
        spare += is_spare[i] = times_in_pool(l, v, atom) > needed;
    }
    i64 to = 0;
    for (int pass = 1; pass >= 0 && spare; pass--)
        for (i64 i = 0; i < count; i++)
            if (is_spare[i] == pass) memcpy(sorted + parts * to++, choices + parts * i, (size_t)parts * sizeof(i64));
    if (spare) memcpy(choices, sorted, (size_t)(count * parts) * sizeof(i64));
    PyMem_Free(sorted);
    return 1;
}
static PyObject *leaf_of(Library *l, const i64 *v) {
    Position *p = new_position(l);
    if (!p) return NULL;
    memcpy(p->v, v, (size_t)l->game->slots * sizeof(i64));
    moved(p);
    PyObject *slots = slots_of(p);
    Py_DECREF(p);
    return slots;
}
/* deals(mask, rows, at, midway, dealt_at, public, wanted, most, leaves): see Dealing._ways. The ways found, each as slots, with
   how many chances fell until all was dealt and how many rows were told then; how many steps it took; the longest; whether
   one was too long. None: it has to be done in Python. */
PyObject *position_deals(Position *p, PyObject *args) {
    Library *l = p->library;
    const Game *g = l->game;
    PyObject *list, *public, *wanted, *found = NULL;
    unsigned long long mask;
    long long at, dealt_at, most, leaves;
    int midway;
    if (!PyArg_ParseTuple(args, "KO!LpLO!O!LL", &mask, &PyList_Type, &list, &at, &midway, &dealt_at, &PyBytes_Type, &public,
                          &PyList_Type, &wanted, &most, &leaves))
        return NULL;
    Py_ssize_t rows_wanted = PyList_GET_SIZE(wanted);
    if (at < 0 || PyBytes_GET_SIZE(public) != (Py_ssize_t)g->nodes || rows_wanted != PyList_GET_SIZE(list) + 1) {
        PyErr_SetString(PyExc_ValueError, "of each question, of each row");
        return NULL;
    }
    Told *rows = rows_from(l, list);
    Stack stack = {NULL, NULL, 0, 0};
    Reading r = {l, rows, NULL, (i64)PyList_GET_SIZE(list), 0, mask, 1, midway, 0, 0};
    i64 visited = 0, longest = 0, *here = PyMem_Malloc((size_t)g->slots * sizeof(i64)), *choices = NULL, room = 0;
    int fine = rows && here && PyTuple_GET_SIZE(p->held) == 0 && pushed(l, &stack, (Way_here){0, 0, 0, at, 1}, p->v);
    if (fine) found = PyList_New(0);
    fine = fine && found;
    while (fine && stack.count && visited < most && PyList_GET_SIZE(found) <= leaves) {
        Way_here way = stack.ways[--stack.count];
        memcpy(here, stack.states + (size_t)g->slots * stack.count, (size_t)g->slots * sizeof(i64));
        visited++;
        if (!way.fits) continue;
        if (way.hidden == way.depth) way.told = way.at;
        int chance = is_chance(l, here), seen = chance == 1 && PyBytes_AS_STRING(public)[here[0]];
        if (chance < 0) { fine = 0; break; }
        if (!chance || (dealt_at >= 0 && way.depth >= dealt_at && seen)) {
            i64 length = chance ? way.at - 1 : way.at;
            if (length > longest) longest = length;
            PyObject *slots = leaf_of(l, here);
            PyObject *row = slots ? Py_BuildValue("NLL", slots, (long long)way.hidden, (long long)way.told) : NULL;
            fine = row && PyList_Append(found, row) == 0;
            Py_XDECREF(row);
            continue;
        }
        const i64 *offered;
        i64 count = g->legal(l->machine, here, &offered);
        if (count < 0) { fine = 0; break; }
        if (count * g->parts > room) {
            i64 *more = PyMem_Realloc(choices, (size_t)(count * g->parts) * sizeof(i64));
            if (!more) { fine = 0; break; }
            choices = more;
            room = count * g->parts;
        }
        memcpy(choices, offered, (size_t)(count * g->parts) * sizeof(i64));
        fine = put_spare_first(l, here, choices, count, PyList_GET_ITEM(wanted, way.at < rows_wanted ? (Py_ssize_t)way.at : rows_wanted - 1));
        i64 hidden = seen ? way.hidden : way.depth + 1;
        for (i64 i = count; fine && i--;) {
            i64 *next = pushed(l, &stack, (Way_here){way.depth + 1, hidden, way.told, way.at, 1}, here);
            r.at = way.at;
            r.fits = 1;
            fine = next && g->apply(l->machine, next, choices + g->parts * i, compare, compare_all, &r) == FINE && !r.planned;
            stack.ways[stack.count - 1].at = r.at;
            stack.ways[stack.count - 1].fits = r.fits;
        }
    }
    PyMem_Free(choices);
    PyMem_Free(here);
    PyMem_Free(stack.states);
    PyMem_Free(stack.ways);
    forget_rows(rows, PyList_GET_SIZE(list));
    if (PyErr_Occurred() || !tidy(l)) { Py_XDECREF(found); return NULL; }
    if (!fine) { Py_XDECREF(found); Py_RETURN_NONE; }
    return Py_BuildValue("NLLO", found, (long long)visited, (long long)longest, r.too_long ? Py_True : Py_False);
}

/* --- batches ------------------------------------------------------------------------------------------------------ */
static int is_offered(Position *p, const i64 *choice) {
    const Game *g = p->library->game;
    if (!list_offers(p)) return TROUBLE;
    for (i64 i = 0; i < p->offers; i++)
        if (!memcmp(p->offered + g->parts * i, choice, (size_t)g->parts * sizeof(i64))) return 1;
    return 0;
}
/* keep(positions, choice, mask, rows, trusted): makes the choice in all of them; of each whether it is legal there and the
   seat would be told these rows, and no others. Where not, the position stays as it was; None: Python has to look. */
PyObject *library_keep(Library *l, PyObject *args) {
    PyObject *positions, *as_given, *list;
    unsigned long long mask;
    int trusted;
    if (!PyArg_ParseTuple(args, "O!OKO!p", &PyList_Type, &positions, &as_given, &mask, &PyList_Type, &list, &trusted)) return NULL;
    const Game *g = l->game;
    Py_ssize_t count = PyList_GET_SIZE(positions);
    Told *rows = rows_from(l, list);
    PyObject *found = PyList_New(count);
    i64 *next = PyMem_Malloc((size_t)g->slots * sizeof(i64));
    for (Py_ssize_t i = 0; found && i < count; i++) {
        Position *p = (Position *)PyList_GET_ITEM(positions, i);
        PyObject *answer = Py_None;
        if (!PyObject_TypeCheck((PyObject *)p, &PositionType) || p->library != l) {
            PyErr_SetString(PyExc_TypeError, "positions of this library");
            break;
        }
        int known = rows && next && PyTuple_GET_SIZE(p->held) == 0 && choice_taken(p, as_given, l->choice);
        int legal = !known ? TROUBLE : trusted ? 1 : is_offered(p, l->choice);
        if (legal == 0) answer = Py_False;
        if (legal == 1) {
            size_t told = p->told;
            Reading r = {l, rows, p, (i64)PyList_GET_SIZE(list), 0, mask, 1, 0, 0, 0};
            memcpy(next, p->v, (size_t)g->slots * sizeof(i64));
            int done = g->apply(l->machine, next, l->choice, compare, compare_all, &r);
            if (went_deaf(p)) break;
            if (done == FINE && !r.planned) answer = r.fits && r.at == r.count ? Py_True : Py_False;
            if (answer == Py_True) {
                memcpy(p->v, next, (size_t)g->slots * sizeof(i64));
                moved(p);
            } else p->told = told;
        }
        PyList_SET_ITEM(found, i, Py_NewRef(answer));
    }
    PyMem_Free(next);
    forget_rows(rows, PyList_GET_SIZE(list));
    if (PyErr_Occurred() || !tidy(l)) Py_CLEAR(found);
    return found;
}
/* advance(positions, choices, trusted): of each its own choice. If one of them is not legal, none is made. */
PyObject *library_advance(Library *l, PyObject *args) {
    PyObject *positions, *choices;
    int trusted;
    if (!PyArg_ParseTuple(args, "O!O!p", &PyList_Type, &positions, &PyList_Type, &choices, &trusted)) return NULL;
    Py_ssize_t count = PyList_GET_SIZE(positions);
    if (PyList_GET_SIZE(choices) != count) { PyErr_SetString(PyExc_ValueError, "a choice for each position"); return NULL; }
    for (int pass = trusted; pass < 2; pass++)
        for (Py_ssize_t i = 0; i < count; i++) {
            Position *p = (Position *)PyList_GET_ITEM(positions, i);
            PyObject *both[] = {PyList_GET_ITEM(choices, i), pass ? Py_True : Py_False}, *done;
            if (!PyObject_TypeCheck((PyObject *)p, &PositionType)) { PyErr_SetString(PyExc_TypeError, "positions"); return NULL; }
            if (!pass && choice_taken(p, both[0], l->choice) && is_offered(p, l->choice) == 1) continue;
            if (!pass) { /* Python says what is wrong with it, or that nothing is */
                Position *copy = new_position(l);
                if (!copy) return NULL;
                PyObject *slots = slots_of(p);
                int same = slots && fill(copy, slots);
                done = same ? position_apply(copy, both, 2, NULL) : NULL;
                Py_XDECREF(slots);
                Py_DECREF(copy);
            } else done = position_apply(p, both, 2, NULL);
            if (!done) return NULL;
            Py_DECREF(done);
        }
    Py_RETURN_NONE;
}
