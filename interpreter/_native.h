/* What the parts of the extension have in common: the library of a game, a position in it, and how Python sees both. */
#ifndef TABARRO_NATIVE_H
#define TABARRO_NATIVE_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>
#include "machine.h"

#pragma GCC visibility push(hidden)

#define EXTENSION 5 /* as in building.py; another one whenever what Python calls changes: a folder may be newer than what was built */
#define FEW_ROWS 20000 /* that are kept, with four times those of positions which Python holds, before the others go */

#define CHOICE_BITS 12
#define CHOICES (1 << CHOICE_BITS) /* that are kept as Python has them */

typedef struct Position Position;
typedef struct {
    PyObject_HEAD
    void *handle;
    const Game *game;
    Machine *machine;
    Position *first;                                      /* all positions that Python holds */
    PyObject *number, *fallback, *names;                  /* the class of chosen numbers; see above; who sits where */
    PyObject *make, *revived;                             /* from slots to a State; from that to a position, unpickled */
    PyObject *opening_log;                                /* what was told before the first decision */
    i64 limit;                                            /* of rows, after which those that nobody needs go */
    i64 *first_way;                                       /* node -> its first way */
    i64 *choice;
    PyObject **made;                                      /* choices as Python has them */
    i64 *known;                                           /* of each, its node and its parts */
    Position *spare;                                      /* one that nobody holds any more, for the next */
} Library;

struct Position {
    PyObject_HEAD
    Library *library;
    Position *before, *after;
    PyObject *log, *held;
    PyObject *over;                                       /* yes or no, as Python has them */
    i64 *news;                                            /* what was told since then, as the machine tells it: */
    size_t told, room;                                    /* most of it nobody ever reads */
    i64 *offered, offers, offer_room;                     /* what legal() has listed here; -1: nothing yet */
    i64 v[];
};

extern PyTypeObject LibraryType, PositionType, LuckType, TableType;

/* _native.c */
PyObject *given(Library *l, const Shape *shape, i64 x);
int taken(Library *l, const Shape *shape, PyObject *from, i64 *x);
PyObject *slots_of(Position *p);
int fill(Position *p, PyObject *list);
void moved(Position *p);                                  /* to where it is now */
int tidy(Library *l);
Position *new_position(Library *l);
PyObject *choice_given(Library *l, i64 node, const i64 *choice);
int choice_taken(Position *p, PyObject *from, i64 *choice);
PyObject *fall_back(Position *p, const char *what, PyObject *args);
void hear(void *whom, i64 event, u64 mask, i64 planner, const i64 *values);
void hear_all(void *whom, u64 planner);
int went_deaf(Position *p);
int is_in(Library *l, i64 row, i64 atom);
int list_offers(Position *p);
const Way *way_of(Library *l, i64 node, i64 atom);
PyObject *position_apply(Position *p, PyObject *const *args, Py_ssize_t count, PyObject *names);

/* _luck.c */
typedef struct {
    PyObject_HEAD
    u32 state[624], before[624];                          /* before: as it was before it was last renewed */
    int index, renewed;
} Luck;
double next_random(void *luck);
i64 any_below(Luck *luck, i64 n);                         /* as random.Random.choice draws its index */
void mark_luck(Luck *luck);
void back_to_mark(Luck *luck, int index);

/* _table.c */
PyObject *position_wander(Position *p, PyObject *args);

/* _worlds.c */
PyObject *position_deals(Position *p, PyObject *args);
PyObject *library_keep(Library *l, PyObject *args);
PyObject *library_advance(Library *l, PyObject *args);

/* _search.c */
PyObject *library_think(Library *l, PyObject *args);

/* _log.c */
PyObject *digest(PyObject *module, PyObject *args);

#pragma GCC visibility pop
#endif
