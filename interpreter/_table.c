/* A table of bots: goes on as long as nobody has to think about it in Python.

   At most questions a bot may choose at random. At some it would do something special only if that wins for certain: it
   has found a world, among those it holds possible, in which nothing it could say would win, and as long as it is told
   nothing that tells of worlds it need only look whether that is still so. Such a guard looks at what the bot itself
   would imagine: cells that its seat always sees are as they are, all others as in that world. */
#include "_native.h"

enum { AT_RANDOM, THINKS, GUARDED };                      /* what a seat does at a question */
enum { REPLIES = 24, DEPTH = 4 };                         /* of others to what is said: as Imagination.wins */

typedef struct Guard Guard;
struct Guard {
    Guard *next;
    Position *imagined;                                   /* the question in that world */
    i64 *copied, *bold, *slow;                            /* slots that are as they are; alternatives */
    Py_ssize_t copies, bolds, slows;
    i64 worlds;
    int judged;                                           /* can anything be said for certain at all? */
    PyObject *stamp;                                      /* what it knows of worlds */
    int told;                                             /* something of worlds since */
};
typedef struct {
    Luck *luck;
    i64 atom;
    PyObject *kinds, *loud;                               /* bytes: of each question; of each event, see is_loud */
    Guard *guards;
} Seat;
typedef struct {
    PyObject_HEAD
    Library *library;
    PyObject *claims;                                     /* question and alternative, of which Python wants to hear */
    Py_ssize_t count;
    i64 *frames, **at;                                    /* of each question, then of each place of return: see around */
    Py_ssize_t places;
    u64 held;                                             /* who will be told of worlds when a plan is done */
    Seat seats[];
} Table;

static void drop_guard(Guard **link) {
    Guard *gone = *link;
    *link = gone->next;
    Py_XDECREF(gone->imagined);
    Py_XDECREF(gone->stamp);
    PyMem_Free(gone->copied);
    PyMem_Free(gone->bold);
    PyMem_Free(gone->slow);
    PyMem_Free(gone);
}
static void drop_guards(Seat *seat) {
    while (seat->guards) drop_guard(&seat->guards);
}
static void table_gone(Table *t) {
    for (Py_ssize_t i = 0; i < t->count; i++) {
        drop_guards(t->seats + i);
        Py_XDECREF(t->seats[i].luck);
        Py_XDECREF(t->seats[i].kinds);
        Py_XDECREF(t->seats[i].loud);
    }
    PyMem_Free(t->frames);
    PyMem_Free(t->at);
    Py_XDECREF(t->claims);
    Py_XDECREF(t->library);
    PyObject_Free(t);
}
/* Each frame is how many slots it has, and these; -1 if not all may know them. */
static int take_frames(Table *t, PyObject *frames) {
    const Game *g = t->library->game;
    Py_ssize_t size = t->places = PyTuple_GET_SIZE(frames);
    for (Py_ssize_t i = 0; i < t->places; i++) size += PyTuple_GET_SIZE(PyTuple_GET_ITEM(frames, i));
    t->frames = PyMem_Malloc((size_t)(size + 1) * sizeof(i64));
    t->at = PyMem_Malloc((size_t)(t->places + 1) * sizeof(i64 *));
    if (!t->frames || !t->at) { PyErr_NoMemory(); return 0; }
    i64 *next = t->frames;
    for (Py_ssize_t i = 0; i < t->places; i++) {
        PyObject *frame = PyTuple_GET_ITEM(frames, i);
        t->at[i] = next;
        *next++ = PyTuple_GET_SIZE(frame);
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(frame); k++, next++) {
            *next = PyLong_AsLongLong(PyTuple_GET_ITEM(frame, k));
            if (PyErr_Occurred()) return 0;
            if (*next < 0) *t->at[i] = -1;
            else if (*next >= g->slots) { PyErr_SetString(PyExc_ValueError, "slot"); return 0; }
        }
    }
    if (t->places < (Py_ssize_t)g->nodes) { PyErr_SetString(PyExc_ValueError, "a frame for each question"); return 0; }
    return 1;
}
/* Table(library, claims, frames, seats): of each question, then of each place of return the slots that are in use there,
   the next place of return before the others, or one below 0 if not all may know them; of each seat its atom, its luck,
   and what it does at each question. */
static PyObject *table_made(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *library, *claims, *frames, *seats;
    if (!PyArg_ParseTuple(args, "O!O!O!O!", &LibraryType, &library, &PySet_Type, &claims, &PyTuple_Type, &frames, &PyTuple_Type,
                          &seats))
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(frames); i++)
        if (!PyTuple_Check(PyTuple_GET_ITEM(frames, i))) { PyErr_SetString(PyExc_TypeError, "frames are tuples"); return NULL; }
    Py_ssize_t count = PyTuple_GET_SIZE(seats);
    Table *t = PyObject_NewVar(Table, type, count);
    if (!t) return NULL;
    memset((char *)t + sizeof(PyVarObject), 0, sizeof(Table) - sizeof(PyVarObject) + (size_t)count * sizeof(Seat));
    t->library = (Library *)Py_NewRef(library);
    t->claims = Py_NewRef(claims);
    t->count = count;
    if (!take_frames(t, frames)) { Py_DECREF(t); return NULL; }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *luck, *kinds;
        long long atom;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(seats, i), "LO!O!", &atom, &LuckType, &luck, &PyBytes_Type, &kinds) ||
            PyBytes_GET_SIZE(kinds) != (Py_ssize_t)t->library->game->nodes) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a kind for each question");
            Py_DECREF(t);
            return NULL;
        }
        t->seats[i] = (Seat){(Luck *)Py_NewRef(luck), atom, Py_NewRef(kinds), NULL, NULL};
    }
    return (PyObject *)t;
}

static i64 *numbers_of(Library *l, PyObject *from, Py_ssize_t *count, int slots) {
    *count = PyTuple_GET_SIZE(from);
    i64 *found = PyMem_Malloc(((size_t)*count + 1) * sizeof(i64));
    for (Py_ssize_t i = 0; found && i < *count; i++) {
        found[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(from, i));
        if (slots && !PyErr_Occurred() && (found[i] < 0 || found[i] >= l->game->slots)) PyErr_SetString(PyExc_ValueError, "slot");
        if (PyErr_Occurred()) { PyMem_Free(found); return NULL; }
    }
    return found;
}
/* Guards with this stamp know all that was told, because the worlds are the same; the others go, if they are to. */
static int still_fit(Seat *seat, PyObject *stamp, int drop) {
    for (Guard **link = &seat->guards; *link;) {
        int same = PyObject_RichCompareBool((*link)->stamp, stamp, Py_EQ);
        if (same < 0) return 0;
        if (same) (*link)->told = 0;
        if (same || !drop) link = &(*link)->next;
        else drop_guard(link);
    }
    return 1;
}
/* spare(seat, stamp, loud, imagined, copied, bold, slow, worlds, judged): see above. Whatever told of worlds before
   is taken into account by it; other guards of that seat stay if their stamp is the same, because the worlds are. */
static PyObject *table_spare(Table *t, PyObject *args) {
    Py_ssize_t number;
    PyObject *stamp, *loud, *imagined, *copied, *bold, *slow;
    long long worlds;
    int judged;
    if (!PyArg_ParseTuple(args, "nOO!O!O!O!O!Lp", &number, &stamp, &PyBytes_Type, &loud, &PositionType, &imagined, &PyTuple_Type,
                          &copied, &PyTuple_Type, &bold, &PyTuple_Type, &slow, &worlds, &judged))
        return NULL;
    if (number < 0 || number >= t->count || PyBytes_GET_SIZE(loud) != (Py_ssize_t)t->library->game->events ||
        ((Position *)imagined)->library != t->library) {
        PyErr_SetString(PyExc_ValueError, "no guard for this table");
        return NULL;
    }
    Seat *seat = t->seats + number;
    if (!still_fit(seat, stamp, 1)) return NULL;
    Guard *guard = PyMem_Calloc(1, sizeof(Guard));
    if (!guard) return PyErr_NoMemory();
    guard->imagined = (Position *)Py_NewRef(imagined);
    guard->copied = numbers_of(t->library, copied, &guard->copies, 1);
    guard->bold = guard->copied ? numbers_of(t->library, bold, &guard->bolds, 0) : NULL;
    guard->slow = guard->bold ? numbers_of(t->library, slow, &guard->slows, 0) : NULL;
    guard->worlds = worlds;
    guard->judged = judged;
    guard->stamp = Py_NewRef(stamp);
    guard->next = seat->guards;
    seat->guards = guard; /* the newest is found first; so is whatever failed let go of: */
    if (!guard->slow) { drop_guards(seat); return PyErr_Occurred() ? NULL : PyErr_NoMemory(); }
    for (Guard **link = &guard->next; *link;) {
        if ((*link)->imagined->v[0] != guard->imagined->v[0]) link = &(*link)->next;
        else drop_guard(link);
    }
    Py_XSETREF(seat->loud, Py_NewRef(loud));
    Py_RETURN_NONE;
}

static Guard *guard_at(Seat *seat, i64 question) {
    Guard *guard = seat->guards;
    while (guard && guard->imagined->v[0] != question) guard = guard->next;
    return guard;
}
/* was_told(seat, question): has the seat a guard there, and was it told of worlds since? */
static PyObject *table_was_told(Table *t, PyObject *args) {
    Py_ssize_t number;
    long long question;
    if (!PyArg_ParseTuple(args, "nL", &number, &question)) return NULL;
    if (number < 0 || number >= t->count) { PyErr_SetString(PyExc_ValueError, "no such seat"); return NULL; }
    Guard *guard = guard_at(t->seats + number, question);
    return PyBool_FromLong(guard && guard->told);
}
/* renew(seat, question, stamp, count, slots, world): its guard there holds on, with what stands in these slots in one of
   so many worlds that are possible now. */
static PyObject *table_renew(Table *t, PyObject *args) {
    Py_ssize_t number, count;
    PyObject *stamp, *slots, *world;
    long long question, possible;
    if (!PyArg_ParseTuple(args, "nLOLO!O!", &number, &question, &stamp, &possible, &PyTuple_Type, &slots, &PyTuple_Type, &world))
        return NULL;
    Guard *guard = number < 0 || number >= t->count ? NULL : guard_at(t->seats + number, question);
    if (!guard || PyTuple_GET_SIZE(slots) != PyTuple_GET_SIZE(world)) { PyErr_SetString(PyExc_ValueError, "no such guard"); return NULL; }
    const Game *g = t->library->game;
    i64 *places = numbers_of(t->library, slots, &count, 1);
    if (!places) return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    int fine = 1;
    for (Py_ssize_t i = 0; fine && i < count; i++) {
        const Shape *shape = g->shapes + g->slot_shapes[places[i]];
        fine = taken(t->library, shape, PyTuple_GET_ITEM(world, i), guard->imagined->v + places[i]);
    }
    PyMem_Free(places);
    if (!fine) drop_guards(t->seats + number); /* then he is asked */
    else {
        guard->worlds = possible;
        Py_SETREF(guard->stamp, Py_NewRef(stamp));
    }
    if (PyErr_Occurred() || !still_fit(t->seats + number, stamp, 0)) return NULL;
    Py_RETURN_NONE;
}

/* --- what is told ------------------------------------------------------------------------------------------------- */
typedef struct { Position *position; Table *table; } Listener;
static void notice(Table *t, u64 whom) {
    for (Py_ssize_t i = 0; i < t->count; i++)
        if (whom >> i & 1) for (Guard *guard = t->seats[i].guards; guard; guard = guard->next) guard->told = 1;
}
/* Does it tell a seat of worlds? 0: no; 1: yes; more: unless it is of the seat itself, at this place less two. */
static int is_loud(const Seat *seat, i64 event, const i64 *values) {
    unsigned char kind = seat->loud ? (unsigned char)PyBytes_AS_STRING(seat->loud)[event] : 1;
    return kind > 1 ? values[kind - 2] != seat->atom : kind;
}
static u64 to_be_told(Table *t, i64 event, u64 mask, const i64 *values) {
    u64 found = 0;
    for (Py_ssize_t i = 0; i < t->count; i++)
        if ((mask >> i & 1) && is_loud(t->seats + i, event, values)) found |= 1ull << i;
    return found;
}
static void listen(void *whom, i64 event, u64 mask, i64 planner, const i64 *values) {
    Listener *here = whom;
    u64 told = to_be_told(here->table, event, mask, values);
    hear(here->position, event, mask, planner, values);
    if (planner < 0) notice(here->table, told);
    else {
        notice(here->table, told & (u64)planner);
        here->table->held |= told;
    }
}
static void listen_all(void *whom, u64 planner) {
    Listener *here = whom;
    hear_all(here->position, planner);
    notice(here->table, here->table->held & ~planner);
    here->table->held = 0;
}

/* --- does it win? ------------------------------------------------------------------------------------------------- */
static int has_number(const i64 *row, Py_ssize_t count, i64 x) {
    for (Py_ssize_t i = 0; i < count; i++) if (row[i] == x) return 1;
    return 0;
}
/* Of what somebody else may reply, what wins for him, else the first that can be: 0, if nothing can. */
static int best_reply(Library *l, i64 *v, i64 who) {
    const Game *g = l->game;
    const i64 *offered;
    if (v[4] != NOTHING) return TROUBLE; /* plans are left to Python */
    i64 count = g->legal(l->machine, v, &offered), size = g->slots * (i64)sizeof(i64), found = 0;
    if (count < 0) return TROUBLE;
    if (count > REPLIES) count = REPLIES;
    i64 *choices = PyMem_Malloc((size_t)(count * g->parts + 2 * g->slots) * sizeof(i64));
    if (!choices) return TROUBLE;
    i64 *next = choices + count * g->parts, *first = next + g->slots;
    memcpy(choices, offered, (size_t)(count * g->parts) * sizeof(i64));
    for (i64 i = 0; i < count && found != TROUBLE; i++) {
        memcpy(next, v, (size_t)size);
        if (g->apply(l->machine, next, choices + g->parts * i, NULL, NULL, NULL) != FINE) { found = TROUBLE; break; }
        int won = next[0] == OVER && is_in(l, next[3], who);
        if (won || !found) memcpy(first, next, (size_t)size);
        found = 1;
        if (won) break;
    }
    if (found == 1) memcpy(v, first, (size_t)size);
    PyMem_Free(choices);
    return (int)found;
}
static int wins(Library *l, const i64 *from, const i64 *choice, i64 who) {
    const Game *g = l->game;
    size_t size = (size_t)g->slots * sizeof(i64);
    i64 few[256], *v = g->slots <= 256 ? few : PyMem_Malloc(size);
    if (!v) return TROUBLE;
    memcpy(v, from, size);
    int found = g->apply(l->machine, v, choice, NULL, NULL, NULL) == FINE ? 0 : TROUBLE;
    for (int depth = 0; found == 0 && depth < DEPTH; depth++) {
        if (v[0] == OVER) { found = is_in(l, v[3], who); break; }
        i64 actor = g->node_kinds[v[0]] == ASK ? g->actor(l->machine, v) : -1;
        if (actor < 0 || actor == who) break;
        int replied = best_reply(l, v, actor);
        if (replied != 1) { found = replied; break; }
    }
    if (v != few) PyMem_Free(v);
    return found;
}

/* Puts what stands around a question of one position into another: 0, if not all may know it. */
static int around(const Table *t, const i64 *from, i64 *to) {
    const Py_ssize_t nodes = (Py_ssize_t)t->library->game->nodes;
    Py_ssize_t place = (Py_ssize_t)from[0];
    for (Py_ssize_t depth = 0; depth <= t->places; depth++) {
        const i64 *frame = t->at[place];
        if (frame[0] <= 0) return frame[0] == 0;
        for (i64 i = 1; i <= frame[0]; i++) to[frame[i]] = from[frame[i]];
        i64 back = from[frame[1]];
        if (back < 0 || back >= t->places - nodes) return 1;
        place = nodes + (Py_ssize_t)back;
    }
    return 0;
}
/* Is it still as the guard knows it? Then what is left to choose from stands at the front of `choices`; 0: think again. */
static i64 let_go(Table *t, Seat *seat, Position *p, i64 *choices, i64 count) {
    Library *l = t->library;
    const Game *g = l->game;
    Guard *guard = guard_at(seat, p->v[0]);
    if (!guard || guard->told) return 0;
    i64 slow = 0, calm = 0;
    for (i64 i = 0; i < count; i++) slow += has_number(guard->slow, guard->slows, choices[g->parts * i]);
    if (slow && guard->worlds <= slow) return 0;
    i64 few[256], *v = g->slots <= 256 ? few : PyMem_Malloc((size_t)g->slots * sizeof(i64));
    int doubtful = !v;
    if (v) {
        memcpy(v, guard->imagined->v, (size_t)g->slots * sizeof(i64));
        for (Py_ssize_t i = 0; i < guard->copies; i++) v[guard->copied[i]] = p->v[guard->copied[i]];
        doubtful = !around(t, p->v, v);
    }
    for (i64 i = 0; !doubtful && i < count; i++) {
        const i64 *choice = choices + g->parts * i;
        if (has_number(guard->bold, guard->bolds, choice[0])) doubtful = guard->judged && wins(l, v, choice, seat->atom) != 0;
        else if (!has_number(guard->slow, guard->slows, choice[0])) {
            if (calm != i) memmove(choices + g->parts * calm, choice, (size_t)g->parts * sizeof(i64));
            calm++;
        }
    }
    if (v != few) PyMem_Free(v);
    return doubtful ? 0 : calm;
}

/* --- going on ----------------------------------------------------------------------------------------------------- */
static Seat *seat_of(Table *t, i64 atom) {
    for (Py_ssize_t i = 0; i < t->count; i++) if (t->seats[i].atom == atom) return t->seats + i;
    return NULL;
}
/* What the one who is asked chooses: 1 if it was chosen here. */
static int chosen(Table *t, Position *p, i64 *choice) {
    Library *l = t->library;
    const Game *g = l->game;
    if (g->node_kinds[p->v[0]] != ASK) return 0;
    Seat *seat = seat_of(t, g->actor(l->machine, p->v));
    char kind = seat ? PyBytes_AS_STRING(seat->kinds)[p->v[0]] : THINKS;
    if (kind == THINKS) return 0;
    int index = seat->luck->index;
    mark_luck(seat->luck);
    if (kind == AT_RANDOM) {
        Chooser chooser = {0, next_random, seat->luck};
        if (g->sample(l->machine, p->v, &chooser, 1, choice) == FINE) return 1;
        back_to_mark(seat->luck, index);
        return 0;
    }
    if (!seat->guards) return 0;
    const i64 *offered;
    i64 count = g->legal(l->machine, p->v, &offered);
    if (count < 0) return 0;
    i64 few[64], *choices = count * g->parts <= 64 ? few : PyMem_Malloc((size_t)(count * g->parts) * sizeof(i64));
    if (!choices) return 0;
    memcpy(choices, offered, (size_t)(count * g->parts) * sizeof(i64));
    i64 calm = let_go(t, seat, p, choices, count);
    if (calm) memcpy(choice, choices + g->parts * any_below(seat->luck, calm), (size_t)g->parts * sizeof(i64));
    if (choices != few) PyMem_Free(choices);
    return calm > 0;
}
static int is_claim(Table *t, i64 node, i64 atom) {
    if (!PySet_GET_SIZE(t->claims)) return 0;
    PyObject *key = Py_BuildValue("LL", (long long)node, (long long)atom);
    int found = key ? PySet_Contains(t->claims, key) : -1;
    Py_XDECREF(key);
    return found;
}
/* Makes a choice, heard by the table; also where only Python can. */
static int made(Table *t, Position *p, const i64 *choice, PyObject *as_given) {
    Library *l = t->library;
    const Game *g = l->game;
    size_t size = (size_t)g->slots * sizeof(i64), told = p->told;
    i64 few[256], *next = g->slots <= 256 ? few : PyMem_Malloc(size);
    Listener here = {p, t};
    if (!next) { PyErr_NoMemory(); return 0; }
    memcpy(next, p->v, size);
    int done = choice ? g->apply(l->machine, next, choice, listen, listen_all, &here) : TROUBLE;
    if (done == FINE) {
        memcpy(p->v, next, size);
        moved(p);
    } else p->told = told;
    if (next != few) PyMem_Free(next);
    if (went_deaf(p)) return 0;
    if (done == FINE) return tidy(l);
    notice(t, ~0ull); /* who was told what is not known here */
    t->held = ~0ull;
    PyObject *one = as_given ? Py_NewRef(as_given) : choice_given(l, p->v[0], choice);
    PyObject *both = one ? Py_BuildValue("(NO)", one, Py_True) : NULL, *found = both ? fall_back(p, "apply", both) : NULL;
    Py_XDECREF(both);
    Py_XDECREF(found);
    return found != NULL;
}
/* wander(table, choice, most): makes this choice, if there is one, and goes on for so many decisions, or until Python has
   to choose, or to hear of a choice before it is made. How many decisions were made, and that choice, if there is one. */
PyObject *position_wander(Position *p, PyObject *args) {
    PyObject *table, *given_choice;
    long long most;
    if (!PyArg_ParseTuple(args, "O!OL", &TableType, &table, &given_choice, &most)) return NULL;
    Table *t = (Table *)table;
    Library *l = p->library;
    if (t->library != l) { PyErr_SetString(PyExc_ValueError, "another table"); return NULL; }
    i64 few[32], *choice = l->game->parts <= 32 ? few : PyMem_Malloc((size_t)l->game->parts * sizeof(i64)), decisions = 0;
    PyObject *waiting = NULL;
    int fine = choice != NULL;
    if (!choice) PyErr_NoMemory();
    else if (given_choice != Py_None) fine = made(t, p, choice_taken(p, given_choice, choice) ? choice : NULL, given_choice);
    while (fine && decisions < most && p->v[0] != OVER && chosen(t, p, choice)) {
        int claim = is_claim(t, p->v[0], choice[0]);
        if (claim) {
            waiting = claim > 0 ? choice_given(l, p->v[0], choice) : NULL;
            fine = waiting != NULL;
            break;
        }
        fine = made(t, p, choice, NULL);
        decisions += fine;
    }
    if (choice != few) PyMem_Free(choice);
    if (!fine) { Py_XDECREF(waiting); return NULL; }
    return Py_BuildValue("LN", (long long)decisions, waiting ? waiting : Py_NewRef(Py_None));
}

static PyMethodDef table_methods[] = {
    {"spare", (PyCFunction)table_spare, METH_VARARGS, "spare(seat, stamp, loud, imagined, copied, bold, slow, worlds, judged)"},
    {"was_told", (PyCFunction)table_was_told, METH_VARARGS, "was_told(seat, question)"},
    {"renew", (PyCFunction)table_renew, METH_VARARGS, "renew(seat, question, stamp, count, slots, world)"},
    {NULL}};
PyTypeObject TableType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tabarro.interpreter._native.Table",
    .tp_basicsize = sizeof(Table),
    .tp_itemsize = sizeof(Seat),
    .tp_dealloc = (destructor)table_gone,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Table(library, claims, frames, seats): bots, and at which questions they choose at random.",
    .tp_new = table_made,
    .tp_methods = table_methods,
};
