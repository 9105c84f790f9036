/* What the library of a game and the extension that loads it have in common. A game's library needs no Python.

   A state is a row of slots, the same as in slots.py: things, numbers, yes and no are themselves, a set of things is a
   mask (bit k: the k-th thing of its universe), other rows are the number of a row that the machine keeps. Nothing is
   NOTHING, whatever it stands for. Slot 1, the log, tells here whether chance decides by itself; slot 5 has the scores. */
#ifndef TABARRO_MACHINE_H
#define TABARRO_MACHINE_H
#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef uint32_t u32;

#define NOTHING INT64_MIN
#define MACHINE_VERSION 2 /* another one whenever the table of functions changes: an extension may be older than this file */

enum { NUMBER, TRUTH, CHOSEN_NUMBER, MASK, ROW };         /* kinds of shapes */
enum { OVER = 0, FITS = 1, FAILS = 2 };                   /* the first nodes */
enum { ASK, CHANCE, END };                                /* kinds of nodes */
enum { FINE = 0, TROUBLE = -1, TOO_MANY = -2 };           /* trouble: Python does it again, and says what is wrong */

typedef struct { i64 kind, of, low, high; } Shape;        /* of: the universe of a mask, the shape of a row's elements */
typedef struct { i64 count; const i64 *atoms; } Universe;
typedef struct { i64 node, atom, count; const i64 *shapes; } Way; /* atom: of the alternative, or -1 */
typedef struct { i64 count; const i64 *shapes; } Telling; /* what an event tells */
typedef struct Machine Machine;
typedef void Tell(void *whom, i64 event, u64 mask, i64 planned, const i64 *values);
typedef void Flush(void *whom, u64 planner);              /* a plan is done: the others are told */

typedef struct { u64 state; double (*random)(void *source); void *source; } Chooser; /* its own luck, or somebody's */

static inline u64 scrambled(u64 seed) { /* as in many.py: neighbouring seeds give no neighbouring games */
    u64 z = seed * 0x9E3779B97F4A7C15ull + 0x1234567ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    return z ^ (z >> 27);
}

typedef struct {
    i64 games, decisions, unfinished;
    i64 *wins, *scores;                                   /* of each seat */
} Sums;

typedef struct {
    i64 version, slots, seats, parts, nodes, events, ways;
    const Shape *shapes;
    const i64 *slot_shapes;
    const Universe *universes;
    const Way *way;
    const Telling *telling;
    const i64 *node_kinds, *pools;
    Machine *(*made)(void);
    void (*gone)(Machine *);
    const i64 *(*row)(Machine *, i64 row, i64 *count);
    i64 (*kept)(Machine *, const i64 *values, i64 count);  /* NOTHING: no memory */
    i64 (*rows)(Machine *);
    void (*tidy)(Machine *);                               /* forgets all rows but those of a new game */
    int (*begin)(Machine *, i64 *state);
    int (*go_on)(Machine *, i64 *state, Tell *, Flush *, void *whom); /* lets chance decide */
    i64 (*actor)(Machine *, const i64 *state);
    i64 (*legal)(Machine *, const i64 *state, const i64 **choices);
    int (*apply)(Machine *, i64 *state, const i64 *choice, Tell *, Flush *, void *whom);
    i64 (*perft)(Machine *, const i64 *state, i64 depth, i64 most, i64 *nodes, i64 *finished);
    i64 (*play)(Machine *, const i64 *from, u64 seed, i64 games, i64 habits, i64 most, Sums *);
    int (*sample)(Machine *, const i64 *state, Chooser *, i64 habits, i64 *choice);
} Game;

#endif
