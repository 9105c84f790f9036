/* A tree search over what players know, as mind/search.py has it: the same numbers drawn in the same order, the same sums,
   so that the same seed comes to the same choice. What only Python knows (who could declare, how near somebody is to
   winning) it is asked for. */
#include "_native.h"
#include <math.h>

typedef struct { double visits, gain, offered; } Entry;
typedef struct { u64 key; double visits; i64 *parts; Entry *entries; i64 count, room; } Place;
typedef struct { Place *place; i64 entry; } Taken;
typedef struct { i64 actor, first, count; } Move;         /* whose; which of what was taken */
typedef struct { i64 event; u64 mask; i64 *values; } Held;
typedef struct {
    Library *library;
    Luck *luck;
    i64 me, seats, many, few, longest, *atoms;
    double eager, declared, low, high;
    const char *by_chance;                                /* of each seat */
    PyObject *claims, *dealt, *declarers, *known_declarers, *judged; /* see mind/search.py */
    Place **places;                                       /* by their keys */
    size_t place_count, place_room;
    u64 *known;                                           /* of each seat, all that it has been told */
    Held *held; size_t held_count, held_room;             /* rows of a plan that is not done */
    Taken *taken; size_t taken_count, taken_room;
    Move *moves; size_t move_count, move_room;
    i64 *offers, offer_count, offer_room, *choice, *v;
    double *gains;
    long long steps;
    int deaf;                                             /* no memory for what was told */
} Search;

static inline u64 mixed(u64 h, u64 x) {
    h = (h ^ x) * 0x9E3779B97F4A7C15ull;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93ull;
    return h ^ h >> 29;
}
static int grow(void *rows, size_t *room, size_t wanted, size_t size) {
    if (wanted <= *room) return 1;
    size_t more = 2 * wanted + 16;
    void *found = PyMem_Realloc(*(void **)rows, more * size);
    if (!found) return 0;
    *(void **)rows = found;
    *room = more;
    return 1;
}

/* --- what is told ------------------------------------------------------------------------------------------------- */
static void learn(Search *s, i64 event, u64 mask, const i64 *values) {
    i64 count = s->library->game->telling[event].count;
    u64 row = mixed(0x51, (u64)event);
    for (i64 i = 0; i < count; i++) row = mixed(row, (u64)values[i]);
    for (i64 i = 0; i < s->seats; i++) if (mask >> i & 1) s->known[i] = mixed(s->known[i], row);
}
static int hold(Search *s, i64 event, u64 mask, const i64 *values) {
    size_t size = ((size_t)s->library->game->telling[event].count + 1) * sizeof(i64);
    if (!grow(&s->held, &s->held_room, s->held_count + 1, sizeof(Held))) return 0;
    i64 *copy = PyMem_Malloc(size);
    if (!copy) return 0;
    memcpy(copy, values, size - sizeof(i64));
    s->held[s->held_count++] = (Held){event, mask, copy};
    return 1;
}
static void let_go_of_held(Search *s) { while (s->held_count) PyMem_Free(s->held[--s->held_count].values); }
static void told(void *whom, i64 event, u64 mask, i64 planner, const i64 *values) {
    Search *s = whom;
    if (planner < 0) learn(s, event, mask, values);
    else {
        if (!hold(s, event, mask, values)) s->deaf = 1;
        learn(s, event, mask & (u64)planner, values);
    }
}
static void told_all(void *whom, u64 planner) {
    Search *s = whom;
    for (size_t i = 0; i < s->held_count; i++) learn(s, s->held[i].event, s->held[i].mask & ~planner, s->held[i].values);
    let_go_of_held(s);
}
static int take_held(Search *s, PyObject *rows) { /* of a position from Python */
    Library *l = s->library;
    let_go_of_held(s);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rows); i++) {
        PyObject *row = PyTuple_GET_ITEM(rows, i);
        i64 event = PyLong_AsLongLong(PyTuple_GET_ITEM(row, 0)), values[64];
        u64 mask = (u64)PyLong_AsLongLong(PyTuple_GET_ITEM(row, 1));
        const Telling *telling = event >= 0 && event < l->game->events ? l->game->telling + event : NULL;
        int fits = telling && telling->count <= 64 && PyTuple_GET_SIZE(row) == (Py_ssize_t)telling->count + 2;
        for (i64 k = 0; fits && k < telling->count; k++)
            fits = taken(l, l->game->shapes + telling->shapes[k], PyTuple_GET_ITEM(row, (Py_ssize_t)k + 2), values + k);
        if (!fits || !hold(s, event, mask, values)) { PyErr_Clear(); return 0; }
    }
    return 1;
}

/* --- what was tried ----------------------------------------------------------------------------------------------- */
static Place *place_at(Search *s, u64 key) {
    if (2 * (s->place_count + 1) > s->place_room) {
        size_t room = s->place_room ? 2 * s->place_room : 1024;
        Place **places = PyMem_Calloc(room, sizeof(Place *));
        if (!places) return NULL;
        for (size_t i = 0; i < s->place_room; i++)
            if (s->places[i]) {
                size_t k = s->places[i]->key & (room - 1);
                while (places[k]) k = (k + 1) & (room - 1);
                places[k] = s->places[i];
            }
        PyMem_Free(s->places);
        s->places = places;
        s->place_room = room;
    }
    size_t k = key & (s->place_room - 1);
    for (; s->places[k]; k = (k + 1) & (s->place_room - 1)) if (s->places[k]->key == key) return s->places[k];
    Place *place = PyMem_Calloc(1, sizeof(Place));
    if (!place) return NULL;
    place->key = key;
    s->place_count++;
    return s->places[k] = place;
}
static i64 entry_of(const Place *place, const i64 *part, i64 width) {
    for (i64 i = 0; i < place->count; i++) if (!memcmp(place->parts + width * i, part, (size_t)width * sizeof(i64))) return i;
    return -1;
}
/* Of `count` parts, each so wide, the one to try now; -1: no memory. Whether it was never tried before, and its entry. */
static i64 best_of(Search *s, Place *place, const i64 *parts, i64 count, i64 width, int *fresh, i64 *entry) {
    i64 unknown = 0, best = -1;
    i64 *where = PyMem_Malloc((size_t)count * sizeof(i64));
    if (!where) return -1;
    for (i64 i = 0; i < count; i++) unknown += (where[i] = entry_of(place, parts + width * i, width)) < 0;
    *fresh = unknown && (count <= s->many || (double)(count - unknown) < (double)s->few + 2 * sqrt(place->visits));
    if (*fresh) {
        i64 left = any_below(s->luck, unknown);
        for (best = 0; where[best] >= 0 || left--;) best++;
        if (place->count == place->room) {
            i64 room = 2 * place->room + 4;
            i64 *more = PyMem_Realloc(place->parts, (size_t)(room * width) * sizeof(i64));
            if (more) place->parts = more;
            Entry *entries = PyMem_Realloc(place->entries, (size_t)room * sizeof(Entry));
            if (entries) place->entries = entries;
            if (!more || !entries) { PyMem_Free(where); return -1; }
            place->room = room;
        }
        memcpy(place->parts + width * place->count, parts + width * best, (size_t)width * sizeof(i64));
        place->entries[place->count] = (Entry){0, 0, 1};
        *entry = place->count++;
    } else {
        double span = s->high - s->low, value = -1e9;
        if (span == 0) span = 1;
        for (i64 i = 0; i < count; i++) {
            if (where[i] < 0) continue;
            Entry *e = place->entries + where[i];
            e->offered += 1;
            double visits = e->visits != 0 ? e->visits : 0.5;
            double average = (e->gain / visits - s->low) / span, reach = s->eager * sqrt(log(e->offered + 1) / visits);
            double worth = average + reach;
            if (worth > value) { best = i; value = worth; *entry = where[i]; }
        }
    }
    PyMem_Free(where);
    return best;
}
static int note_taken(Search *s, Place *place, i64 entry) {
    if (!grow(&s->taken, &s->taken_room, s->taken_count + 1, sizeof(Taken))) return 0;
    s->taken[s->taken_count++] = (Taken){place, entry};
    return 1;
}
static i64 length_of(Library *l, i64 node, const i64 *choice) {
    const Way *way = way_of(l, node, choice[0]);
    return way ? way->count + (way->atom >= 0) : 0;
}
/* A choice of those that are offered: its place among them; -1: no memory. */
static i64 picked(Search *s, u64 where, int *fresh) {
    Library *l = s->library;
    i64 parts = l->game->parts, count = s->offer_count, entry = 0;
    if (count <= s->many) {
        Place *place = place_at(s, mixed(where, 1));
        i64 best = place ? best_of(s, place, s->offers, count, parts, fresh, &entry) : -1;
        return best >= 0 && note_taken(s, place, entry) ? best : -1;
    }
    i64 *left = PyMem_Malloc((size_t)(2 * count) * sizeof(i64)), *values = left + count, found = -1;
    u64 prefix = mixed(where, 2);
    if (!left) return -1;
    for (i64 i = 0; i < count; i++) left[i] = i;
    for (i64 depth = 0; count > 1 || !depth; depth++) {
        i64 different = 0;
        for (i64 i = 0; i < count; i++) {
            const i64 *choice = s->offers + parts * left[i];
            if (length_of(l, s->v[0], choice) <= depth) continue;
            i64 k = 0;
            while (k < different && values[k] != choice[depth]) k++;
            if (k == different) values[different++] = choice[depth];
        }
        Place *place = place_at(s, mixed(prefix, (u64)depth));
        i64 best = place && different ? best_of(s, place, values, different, 1, fresh, &entry) : -1;
        if (best < 0 || !note_taken(s, place, entry)) { PyMem_Free(left); return -1; }
        i64 part = values[best], kept = 0;
        prefix = mixed(prefix, (u64)part);
        for (i64 i = 0; i < count; i++) {
            const i64 *choice = s->offers + parts * left[i];
            if (length_of(l, s->v[0], choice) > depth && choice[depth] == part) left[kept++] = left[i];
        }
        count = kept;
        if (*fresh) break;
    }
    found = left[any_below(s->luck, count)];
    PyMem_Free(left);
    return found;
}

/* --- playing ------------------------------------------------------------------------------------------------------ */
enum { GOES_ON, DECIDED, NOT_ASKED, STUCK };              /* stuck: Python has to think */
static int list_different(Search *s) {
    const Game *g = s->library->game;
    const i64 *offered;
    i64 count = g->legal(s->library->machine, s->v, &offered);
    size_t room = (size_t)s->offer_room;
    if (count < 0 || !grow(&s->offers, &room, (size_t)(count * g->parts), sizeof(i64))) return 0;
    s->offer_room = (i64)room;
    s->offer_count = 0;
    for (i64 i = 0; i < count; i++) {
        const i64 *choice = offered + g->parts * i;
        i64 k = 0;
        size_t size = (size_t)g->parts * sizeof(i64);
        while (k < s->offer_count && memcmp(s->offers + g->parts * k, choice, size)) k++;
        if (k == s->offer_count) memcpy(s->offers + g->parts * s->offer_count++, choice, size);
    }
    return 1;
}
static PyObject *as_python(Search *s, PyObject *whom) { /* asks it about the position as it is now */
    Position *p = new_position(s->library);
    if (!p) return NULL;
    memcpy(p->v, s->v, (size_t)s->library->game->slots * sizeof(i64));
    moved(p);
    PyObject *slots = slots_of(p), *found = slots ? PyObject_CallOneArg(whom, slots) : NULL;
    Py_XDECREF(slots);
    Py_DECREF(p);
    return found;
}
static int made(Search *s, const i64 *choice, int heard) {
    const Game *g = s->library->game;
    int done = heard ? g->apply(s->library->machine, s->v, choice, told, told_all, s)
                     : g->apply(s->library->machine, s->v, choice, NULL, NULL, NULL);
    return done == FINE && !s->deaf;
}
static int is_one_of(PyObject *atoms, i64 atom) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(atoms); i++) if (PyLong_AsLongLong(PyTuple_GET_ITEM(atoms, i)) == atom) return 1;
    return 0;
}
/* Who would win if the one who is asked declared; what was dealt decides it, so that it is asked once for each deal. */
static PyObject *declarers(Search *s, i64 seat) { /* borrowed */
    u64 hash = mixed(0x99, (u64)seat);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(s->dealt); i++)
        hash = mixed(hash, (u64)s->v[PyLong_AsLongLong(PyTuple_GET_ITEM(s->dealt, i))]);
    PyObject *key = PyLong_FromUnsignedLongLong(hash), *found = key ? PyDict_GetItemWithError(s->known_declarers, key) : NULL;
    if (key && !found && !PyErr_Occurred()) {
        PyObject *fresh = as_python(s, s->declarers);
        if (fresh && PyDict_SetItem(s->known_declarers, key, fresh) == 0) found = fresh;
        Py_XDECREF(fresh);
    }
    Py_XDECREF(key);
    return found;
}
/* Where somebody may say what ends the game: now and then he can, and wins; otherwise he does something else. */
static int declared(Search *s, i64 seat, PyObject *claim, int heard) {
    const Game *g = s->library->game;
    PyObject *winners = declarers(s, seat), *plain = PyTuple_GET_ITEM(claim, 0), *final = PyTuple_GET_ITEM(claim, 1);
    const i64 *offered;
    if (!winners || s->v[4] != NOTHING) return STUCK; /* plans are left to Python */
    if (winners == Py_None) return NOT_ASKED;
    i64 count = g->legal(s->library->machine, s->v, &offered), others = 0;
    size_t room = (size_t)s->offer_room;
    if (count < 0 || !grow(&s->offers, &room, (size_t)((count + 1) * g->parts), sizeof(i64))) return STUCK;
    s->offer_room = (i64)room;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(plain); k++)
        for (i64 i = 0; i < count; i++) {
            const i64 *choice = offered + g->parts * i;
            if (choice[0] != PyLong_AsLongLong(PyTuple_GET_ITEM(plain, k)) || length_of(s->library, s->v[0], choice) != 1) continue;
            memcpy(s->offers + g->parts * others++, choice, (size_t)g->parts * sizeof(i64));
            break;
        }
    for (i64 i = 0, all = !others; all && i < count; i++)
        if (!is_one_of(final, offered[g->parts * i]))
            memcpy(s->offers + g->parts * others++, offered + g->parts * i, (size_t)g->parts * sizeof(i64));
    if (!others) return NOT_ASKED;
    if (next_random(s->luck) < s->declared) {
        for (i64 i = 0; i < s->seats; i++) s->gains[i] = is_one_of(winners, s->atoms[i]) ? s->high : s->low;
        return DECIDED;
    }
    memcpy(s->choice, s->offers + g->parts * any_below(s->luck, others), (size_t)g->parts * sizeof(i64));
    return made(s, s->choice, heard) ? GOES_ON : STUCK;
}
static int gains_at_the_end(Search *s) {
    const Game *g = s->library->game;
    if (s->v[0] == OVER) {
        i64 count = 0;
        const i64 *scores = s->v[5] == NOTHING ? NULL : g->row(s->library->machine, s->v[5], &count);
        for (i64 i = 0; i < s->seats; i++) {
            if (scores && (i >= count || scores[i] == NOTHING)) return 0;
            double gain = scores ? (double)scores[i] : (double)is_in(s->library, s->v[3], s->atoms[i]);
            s->gains[i] = gain;
            if (gain < s->low) s->low = gain;
            if (gain > s->high) s->high = gain;
        }
        return 1;
    }
    PyObject *shares = s->judged != Py_None ? as_python(s, s->judged) : Py_NewRef(Py_None);
    for (i64 i = 0; shares && i < s->seats; i++) {
        double share = 1.0 / (double)s->seats;
        if (shares != Py_None) {
            PyObject *one = PySequence_GetItem(shares, (Py_ssize_t)i);
            share = one ? PyFloat_AsDouble(one) : -1;
            Py_XDECREF(one);
        }
        s->gains[i] = s->low + (s->high - s->low) * share;
    }
    Py_XDECREF(shares);
    return shares && !PyErr_Occurred();
}
static i64 seat_number(Search *s, i64 atom) {
    for (i64 i = 0; i < s->seats; i++) if (s->atoms[i] == atom) return i;
    return -1;
}
/* One position, played out: 0 if Python has to think instead. `first` is the place of what was chosen first, or -1. */
static int play(Search *s, i64 *first_choice, int *chose) {
    const Game *g = s->library->game;
    int inside = 1, decided = 0;
    s->taken_count = s->move_count = 0;
    *chose = 0;
    for (i64 n = 0; n < s->longest && s->v[0] != OVER; n++) {
        i64 kind = g->node_kinds[s->v[0]], seat = -1;
        if (kind == END) return 0; /* the end of a plan that is only tried: nothing for a search */
        if (kind == ASK && (seat = seat_number(s, g->actor(s->library->machine, s->v))) < 0) return 0;
        s->steps++;
        PyObject *claim = PyTuple_GET_ITEM(s->claims, (Py_ssize_t)s->v[0]);
        int how = NOT_ASKED;
        if (seat >= 0 && claim != Py_None && (!inside || seat != s->me || s->by_chance[seat])) how = declared(s, seat, claim, inside);
        if (how == NOT_ASKED && (seat < 0 || s->by_chance[seat] || !inside)) {
            Chooser chooser = {0, next_random, s->luck};
            how = STUCK;
            if (g->sample(s->library->machine, s->v, &chooser, 1, s->choice) == FINE && made(s, s->choice, inside)) how = GOES_ON;
        }
        if (how == STUCK) return 0;
        if (how == DECIDED) { decided = 1; break; }
        if (how == GOES_ON) continue;
        if (!list_different(s)) return 0;
        s->steps += s->offer_count / 8;
        size_t before = s->taken_count;
        int fresh = 0;
        i64 at = picked(s, mixed(mixed(0, (u64)seat), s->known[seat]), &fresh);
        if (at < 0 || !grow(&s->moves, &s->move_room, s->move_count + 1, sizeof(Move))) return 0;
        s->moves[s->move_count++] = (Move){seat, (i64)before, (i64)(s->taken_count - before)};
        memcpy(s->choice, s->offers + g->parts * at, (size_t)g->parts * sizeof(i64));
        if (!*chose) memcpy(first_choice, s->choice, (size_t)g->parts * sizeof(i64));
        *chose = 1;
        inside = !fresh;
        if (!made(s, s->choice, inside)) return 0;
    }
    if (!decided && !gains_at_the_end(s)) return 0;
    for (size_t i = 0; i < s->move_count; i++)
        for (i64 k = 0; k < s->moves[i].count; k++) {
            Taken *t = s->taken + s->moves[i].first + k;
            Entry *entry = t->place->entries + t->entry;
            t->place->visits++;
            entry->visits += 1;
            entry->gain += s->gains[s->moves[i].actor];
        }
    return 1;
}

/* --- thinking ----------------------------------------------------------------------------------------------------- */
static Py_ssize_t drawn_world(Search *s, const double *weights, Py_ssize_t count) { /* as random.choices */
    double x = next_random(s->luck) * (weights[count - 1] + 0.0);
    Py_ssize_t low = 0, high = count - 1;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        if (x < weights[middle]) high = middle; else low = middle + 1;
    }
    return low;
}
static void gone(Search *s) {
    for (size_t i = 0; i < s->place_room; i++)
        if (s->places[i]) { PyMem_Free(s->places[i]->parts); PyMem_Free(s->places[i]->entries); PyMem_Free(s->places[i]); }
    let_go_of_held(s);
    PyMem_Free(s->places);
    PyMem_Free(s->held);
    PyMem_Free(s->taken);
    PyMem_Free(s->moves);
    PyMem_Free(s->offers);
    PyMem_Free(s->atoms);
    PyMem_Free(s->known);
    PyMem_Free(s->choice);
    PyMem_Free(s->v);
    PyMem_Free(s->gains);
    Py_XDECREF(s->known_declarers);
}
#define MOST_ROWS 3000000 /* that may gather while somebody thinks for a long time */

/* think(luck, world, weights, choices, seats, own, me, by_chance, claims, dealt, declarers, judged, enough, iterations, steps,
   constants): how often each choice was tried and what was gained by it; least and most that can be gained; how many
   positions were played out, in how many steps. None: Python has to think. */
PyObject *library_think(Library *l, PyObject *args) {
    const Game *g = l->game;
    PyObject *luck, *world, *weights, *choices, *seats, *own, *by_chance, *claims, *dealt, *declarers_of, *judged, *enough, *answer = NULL;
    long long me, iterations, most, many, few, longest;
    double eager, declared;
    if (!PyArg_ParseTuple(args, "O!OO!O!O!O!LO!O!O!OOOLL(LLLdd)", &LuckType, &luck, &world, &PyList_Type, &weights, &PyList_Type,
                          &choices, &PyTuple_Type, &seats, &PyTuple_Type, &own, &me, &PyBytes_Type, &by_chance, &PyTuple_Type,
                          &claims, &PyTuple_Type, &dealt, &declarers_of, &judged, &enough, &iterations, &most, &many, &few, &longest, &eager, &declared))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(weights), offered = PyList_GET_SIZE(choices);
    i64 n = (i64)PyTuple_GET_SIZE(seats), slots = g->slots;
    if (!count || PyTuple_GET_SIZE(own) != (Py_ssize_t)n || PyBytes_GET_SIZE(by_chance) != (Py_ssize_t)n ||
        PyTuple_GET_SIZE(claims) != (Py_ssize_t)g->nodes || me < 0 || me >= n) {
        PyErr_SetString(PyExc_ValueError, "worlds, seats, questions");
        return NULL;
    }
    Search s = {.library = l, .luck = (Luck *)luck, .me = me, .seats = n, .many = many, .few = few, .longest = longest,
                .eager = eager, .declared = declared, .low = 0, .high = 1, .by_chance = PyBytes_AS_STRING(by_chance),
                .claims = claims, .dealt = dealt, .declarers = declarers_of, .judged = judged};
    s.known_declarers = PyDict_New();
    s.atoms = PyMem_Calloc((size_t)n, sizeof(i64));
    s.known = PyMem_Calloc((size_t)n, sizeof(u64));
    s.gains = PyMem_Calloc((size_t)n, sizeof(double));
    s.choice = PyMem_Calloc((size_t)g->parts, sizeof(i64));
    s.v = PyMem_Calloc((size_t)slots, sizeof(i64));
    double *sums = PyMem_Calloc((size_t)count, sizeof(double)), *root = PyMem_Calloc(2 * (size_t)offered + 2, sizeof(double));
    PyObject **positions = PyMem_Calloc((size_t)count, sizeof(PyObject *));
    i64 *rows = PyMem_Calloc(((size_t)offered + 1) * (size_t)g->parts, sizeof(i64)), done = 0;
    int fine = s.known_declarers && s.atoms && s.known && s.gains && s.choice && s.v && sums && root && positions && rows, known = 0;
    for (i64 i = 0; fine && i < n; i++) s.atoms[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(seats, (Py_ssize_t)i));
    for (Py_ssize_t i = 0; fine && i < count; i++) sums[i] = PyFloat_AsDouble(PyList_GET_ITEM(weights, i));
    fine = fine && !PyErr_Occurred();
    i64 *first = rows + (size_t)offered * (size_t)g->parts;
    for (; fine && done < iterations; done++) {
        if (s.steps > most || g->rows(l->machine) > MOST_ROWS) break;
        if (enough != Py_None) {
            PyObject *over = PyObject_CallNoArgs(enough);
            int ends = over ? PyObject_IsTrue(over) : -1;
            Py_XDECREF(over);
            if (ends) { fine = ends > 0; break; }
        }
        Py_ssize_t index = drawn_world(&s, sums, count);
        if (!positions[index]) {
            positions[index] = PyObject_CallFunction(world, "n", index);
            fine = positions[index] && PyObject_TypeCheck(positions[index], &PositionType) &&
                   ((Position *)positions[index])->log == Py_None;
            if (!fine) break;
        }
        Position *from = (Position *)positions[index];
        if (!known) { /* what is chosen first is one of these, at the question that all worlds have in common */
            known = 1;
            for (Py_ssize_t i = 0; fine && i < offered; i++)
                fine = choice_taken(from, PyList_GET_ITEM(choices, i), rows + (size_t)i * (size_t)g->parts);
        }
        memcpy(s.v, from->v, (size_t)slots * sizeof(i64));
        fine = fine && take_held(&s, from->held);
        for (i64 i = 0; fine && i < n; i++) {
            PyObject *cells = PyTuple_GET_ITEM(own, (Py_ssize_t)i);
            s.known[i] = 0x77;
            for (Py_ssize_t k = 0; i != me && k < PyTuple_GET_SIZE(cells); k++) {
                i64 slot = PyLong_AsLongLong(PyTuple_GET_ITEM(cells, k));
                if (slot < 0 || slot >= slots) { fine = 0; break; }
                s.known[i] = mixed(s.known[i], (u64)s.v[slot]);
            }
        }
        int chose = 0;
        fine = fine && play(&s, first, &chose);
        for (Py_ssize_t i = 0; fine && chose && i < offered; i++)
            if (!memcmp(rows + (size_t)i * (size_t)g->parts, first, (size_t)g->parts * sizeof(i64))) {
                root[2 * i] += 1;
                root[2 * i + 1] += s.gains[me];
                break;
            }
    }
    PyObject *stats = fine ? PyList_New(offered) : NULL;
    for (Py_ssize_t i = 0; stats && i < offered; i++) {
        PyObject *pair = Py_BuildValue("[dd]", root[2 * i], root[2 * i + 1]);
        if (!pair) { Py_CLEAR(stats); break; }
        PyList_SET_ITEM(stats, i, pair);
    }
    if (stats) answer = Py_BuildValue("NddLL", stats, s.low, s.high, (long long)done, s.steps);
    for (Py_ssize_t i = 0; positions && i < count; i++) Py_XDECREF(positions[i]);
    PyMem_Free(positions);
    PyMem_Free(sums);
    PyMem_Free(root);
    PyMem_Free(rows);
    gone(&s);
    if (PyErr_Occurred() || !tidy(l)) { Py_XDECREF(answer); return NULL; }
    return answer ? answer : Py_NewRef(Py_None);
}
