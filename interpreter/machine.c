/* What every game's library is made of, whatever its rules: rows, chance, plans, many games. The emitter writes the
   numbers of a game (SLOTS, PARTS, SEATS, ...) before this, and its rules behind it.

   Rows are kept once: equal rows have the same number, so a state is flat, and comparing two of them compares numbers.
   Where something cannot go on (nothing where something is needed, a number too large, too many steps), the machine
   gives up with `trouble`: whoever called still has the position from before, and Python does it again. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct { size_t at; i64 count; u64 hash; } Head;
typedef struct { i64 *choice; size_t count, room, most; } Choices; /* most: no more are listed, if there are so many */
typedef struct { u64 hash, stamp, question; size_t look; } Seen;
typedef struct { i64 mask, row; const i64 *atoms; } Known;
typedef struct { i64 how, a, b, row; } Made;
#define KNOWN_BITS 8
#define KNOWN (1 << KNOWN_BITS) /* rows that are remembered: of sets, and made of two others */

struct Machine {
    jmp_buf out;
    i64 *cell; size_t cells, cell_room;                   /* what rows are made of */
    Head *head; size_t rows, row_room;
    u32 *place; size_t places;                            /* from hashes to rows */
    size_t first_rows, first_cells;                       /* those that every game needs */
    i64 *stack; size_t top, room;                         /* rows that are being made */
    i64 budget;                                           /* blocks until somebody must decide */
    i64 opening[SLOTS];
    int opened;
    Choices offers, dice, ahead, one;
    Tell *tell; Flush *flush; void *whom;
    i64 scores[SEATS]; int summing;                       /* of a game that is over; while games are only counted */
    i64 trial[SLOTS], here[KEPT];                         /* a plan that is looked at, and from where */
    i64 *looks; size_t look_count, look_room;             /* positions in it: all that tells them apart; their first choice */
    Seen *seen; size_t seen_count, seen_room;
    u64 stamp, question;                                  /* of this look, of this question */
    unsigned char *dead; size_t dead_room;                /* looks that led nowhere */
    Known known[KNOWN];
    Made rows_made[KNOWN];
    i64 left;
};

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
static void trouble(Machine *m) __attribute__((noreturn, cold, noinline));
static void trouble(Machine *m) { longjmp(m->out, 1); }
static inline i64 need(Machine *m, i64 x) { if (UNLIKELY(x == NOTHING)) trouble(m); return x; }

/* What the emitter writes. */
static const i64 KINDS[NODES], PLANNED[NODES], POOLS[NODES];
static void run(Machine *m, i64 *v, i64 block, const i64 *c);
static void offer(Machine *m, const i64 *v, Choices *to, u64 skip); /* without those that are rare, and are left out */
static i64 actor(Machine *m, const i64 *v);
static u64 rare(Chooser *chooser, i64 node);
static int quickly(Machine *m, const i64 *v, Chooser *chooser, i64 *choice); /* one choice where not all need be listed */
static i64 pool_size(Machine *m, const i64 *v);           /* of what chance draws from here */
static i64 pool_at(Machine *m, const i64 *v, i64 index);
static void keep(const i64 *v, i64 *kept);                /* what a plan may change, and matters: KEPT numbers */
static void restore(i64 *v, const i64 *kept);
static void constants(Machine *m);
static void start(Machine *m, i64 *v);
static int by_chance(i64 atom);
static const Shape SHAPES[SHAPE_COUNT];
static const i64 SLOT_SHAPES[SLOTS], SEAT_ATOMS[SEATS];
static const Universe UNIVERSES[UNIVERSE_COUNT];

static void *grown(Machine *m, void *old, size_t *room, size_t wanted, size_t size) {
    size_t more = *room ? *room : 64;
    while (more < wanted) more *= 2;
    void *found = more > ((size_t)1 << 40) / size ? NULL : realloc(old, more * size);
    if (!found) trouble(m);
    *room = more;
    return found;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */
static inline void push(Machine *m, i64 x) {
    if (UNLIKELY(m->top == m->room)) m->stack = grown(m, m->stack, &m->room, m->top + 1, sizeof(i64));
    m->stack[m->top++] = x;
}
static inline u64 mixed(u64 h, u64 x) { h = (h ^ x) * 0x9E3779B97F4A7C15ull; return h ^ (h >> 29); }
static inline i64 length(Machine *m, i64 row) { return m->head[need(m, row)].count; }
static inline i64 at(Machine *m, i64 row, i64 index) { return m->cell[m->head[row].at + (size_t)index]; }

static void enter(Machine *m, size_t row) {
    size_t k = m->head[row].hash & (m->places - 1);
    while (m->place[k]) k = (k + 1) & (m->places - 1);
    m->place[k] = (u32)row + 1;
}

static void more_places(Machine *m, size_t wanted) {
    u32 *place = calloc(wanted, sizeof(u32));
    if (!place) trouble(m);
    free(m->place);
    m->place = place;
    m->places = wanted;
    for (size_t row = 0; row < m->rows; row++) enter(m, row);
}

static inline u64 hash_of(const i64 *from, i64 count) { /* of long rows four parts side by side */
    u64 hash = (u64)count, second = 5, third = 3, fourth = 1;
    i64 i = 0;
    for (; i + 4 <= count; i += 4) {
        hash = hash * 0x9E3779B97F4A7C15ull + (u64)from[i];
        second = second * 0x9E3779B97F4A7C15ull + (u64)from[i + 1];
        third = third * 0x9E3779B97F4A7C15ull + (u64)from[i + 2];
        fourth = fourth * 0x9E3779B97F4A7C15ull + (u64)from[i + 3];
    }
    if (i) hash = mixed(mixed(mixed(hash, second), third), fourth);
    for (; i < count; i++) hash = mixed(hash, (u64)from[i]);
    return hash;
}

/* The number of the row that lies on the stack from `mark` on; it is taken off. */
static i64 closed(Machine *m, size_t mark) {
    i64 count = (i64)(m->top - mark);
    const i64 *from = m->stack + mark;
    u64 hash = hash_of(from, count);
    m->top = mark;
    if (UNLIKELY(2 * (m->rows + 1) > m->places)) more_places(m, m->places ? 2 * m->places : 256);
    size_t k = hash & (m->places - 1);
    for (; m->place[k]; k = (k + 1) & (m->places - 1)) {
        const Head *head = m->head + m->place[k] - 1;
        if (head->hash != hash || head->count != count) continue;
        const i64 *cells = m->cell + head->at;
        i64 same = 0; /* mostly a few */
        while (same < count && cells[same] == from[same]) same++;
        if (same == count) return (i64)m->place[k] - 1;
    }
    if (UNLIKELY(m->rows >= 0x7fffffff)) trouble(m);
    if (m->rows == m->row_room) m->head = grown(m, m->head, &m->row_room, m->rows + 1, sizeof(Head));
    if (m->cells + (size_t)count > m->cell_room)
        m->cell = grown(m, m->cell, &m->cell_room, m->cells + (size_t)count, sizeof(i64));
    if (count) memcpy(m->cell + m->cells, m->stack + mark, (size_t)count * sizeof(i64));
    m->head[m->rows] = (Head){m->cells, count, hash};
    m->cells += (size_t)count;
    m->place[k] = (u32)m->rows + 1;
    return (i64)m->rows++;
}

static void sorted(Machine *m, size_t mark) { /* mostly a few, and mostly in order */
    i64 *a = m->stack;
    for (size_t i = mark + 1; i < m->top; i++) {
        i64 x = a[i];
        size_t j = i;
        while (j > mark && a[j - 1] > x) { a[j] = a[j - 1]; j--; }
        a[j] = x;
    }
}
static i64 closed_pile(Machine *m, size_t mark) { sorted(m, mark); return closed(m, mark); }
static i64 closed_set(Machine *m, size_t mark) {
    sorted(m, mark);
    size_t same = mark + 1;
    while (same < m->top && m->stack[same] != m->stack[same - 1]) same++; /* mostly each is there once */
    if (same < m->top) {
        size_t to = same;
        for (size_t i = same; i < m->top; i++)
            if (m->stack[i] != m->stack[i - 1]) { i64 x = m->stack[i]; m->stack[to++] = x; }
        m->top = to;
    }
    return closed(m, mark);
}
static inline void push_row(Machine *m, i64 row) {
    const size_t count = (size_t)length(m, row);
    if (UNLIKELY(m->top + count > m->room)) m->stack = grown(m, m->stack, &m->room, m->top + count, sizeof(i64));
    if (count) memcpy(m->stack + m->top, m->cell + m->head[row].at, count * sizeof(i64));
    m->top += count;
}
static int has(Machine *m, i64 row, i64 x) {
    i64 count = length(m, row);
    for (i64 i = 0; i < count; i++) if (at(m, row, i) == x) return 1;
    return 0;
}
static i64 times_in(Machine *m, i64 row, i64 x) {
    i64 found = 0, count = length(m, row);
    for (i64 i = 0; i < count; i++) found += at(m, row, i) == x;
    return found;
}
static i64 alone_anew(Machine *m, i64 x, i64 unused) { size_t mark = m->top; push(m, x); return closed(m, mark); }
static i64 only(Machine *m, i64 row) { return length(m, row) == 1 ? at(m, row, 0) : NOTHING; }
static i64 first(Machine *m, i64 row) { return length(m, row) ? at(m, row, 0) : NOTHING; }
static i64 last(Machine *m, i64 row) { i64 n = length(m, row); return n ? at(m, row, n - 1) : NOTHING; }
static i64 backwards(Machine *m, i64 row) {
    size_t mark = m->top;
    for (i64 i = length(m, row); i--;) push(m, at(m, row, i));
    return closed(m, mark);
}
static i64 turned(Machine *m, i64 row, i64 x, i64 by) {
    i64 count = length(m, row), from = 0;
    while (from < count && at(m, row, from) != x) from++;
    if (from == count) return row;
    size_t mark = m->top;
    for (i64 i = 0; i < count; i++) push(m, at(m, row, (from + by + i) % count));
    return closed(m, mark);
}
static i64 appended_anew(Machine *m, i64 row, i64 x) { size_t mark = m->top; push_row(m, row); push(m, x); return closed(m, mark); }
static i64 extended_anew(Machine *m, i64 a, i64 b) { size_t mark = m->top; push_row(m, a); push_row(m, b); return closed(m, mark); }
static i64 heaped_anew(Machine *m, i64 a, i64 b) { size_t mark = m->top; push_row(m, a); push_row(m, b); return closed_pile(m, mark); }
static i64 added_anew(Machine *m, i64 row, i64 x) { size_t mark = m->top; push_row(m, row); push(m, x); return closed_pile(m, mark); }
static i64 joined(Machine *m, i64 a, i64 b) { size_t mark = m->top; push_row(m, a); push_row(m, b); return closed_set(m, mark); }
static i64 ordered(Machine *m, i64 row) { size_t mark = m->top; push_row(m, row); return closed_pile(m, mark); }
static i64 without(Machine *m, i64 row, i64 gone) {
    size_t mark = m->top;
    need(m, gone);
    i64 count = length(m, row);
    for (i64 i = 0; i < count; i++) if (!has(m, gone, at(m, row, i))) push(m, at(m, row, i));
    return closed(m, mark);
}
static void take_off(Machine *m, size_t k) {
    memmove(m->stack + k, m->stack + k + 1, (m->top - k - 1) * sizeof(i64));
    m->top--;
}
static i64 removed_anew(Machine *m, i64 row, i64 gone) {
    size_t mark = m->top;
    push_row(m, row);
    i64 count = length(m, gone);
    for (i64 i = 0; i < count; i++)
        for (size_t k = mark; k < m->top; k++)
            if (m->stack[k] == at(m, gone, i)) { take_off(m, k); break; }
    return closed(m, mark);
}
static i64 lacking_anew(Machine *m, i64 row, i64 x) {
    size_t mark = m->top;
    push_row(m, row);
    for (size_t k = mark; k < m->top; k++)
        if (m->stack[k] == x) { take_off(m, k); break; }
    return closed(m, mark);
}
/* The same rows are made of the same ones again and again. */
static inline size_t placed(u64 a, u64 b) { return (a * 0x9E3779B97F4A7C15ull + b * 0xD1B54A32D192ED03ull) >> (64 - KNOWN_BITS); }
static inline i64 made_of(Machine *m, i64 how, i64 a, i64 b, i64 (*make)(Machine *, i64, i64)) {
    Made *known = m->rows_made + placed((u64)a, ((u64)b << 4) + (u64)how);
    if (known->how != how || known->a != a || known->b != b) *known = (Made){how, a, b, make(m, a, b)};
    return known->row;
}
static i64 alone(Machine *m, i64 x) { return made_of(m, 1, x, 0, alone_anew); }
static i64 appended(Machine *m, i64 row, i64 x) { return made_of(m, 2, row, x, appended_anew); }
static i64 extended(Machine *m, i64 a, i64 b) { return made_of(m, 3, a, b, extended_anew); }
static i64 heaped(Machine *m, i64 a, i64 b) { return made_of(m, 4, a, b, heaped_anew); }
static i64 removed(Machine *m, i64 row, i64 gone) { return made_of(m, 5, row, gone, removed_anew); }
static i64 lacking(Machine *m, i64 row, i64 x) { return made_of(m, 6, row, x, lacking_anew); }
static inline i64 taken_anew(Machine *m, i64 row, i64 gone, int below) { /* nothing is taken that is not there */
    size_t mark = m->top;
    push_row(m, row);
    i64 count = length(m, gone);
    for (i64 i = 0; i < count; i++) {
        i64 x = at(m, gone, i);
        size_t k = mark;
        if (below && m->top > mark && m->stack[m->top - 1] == x) k = m->top - 1;
        else while (k < m->top && m->stack[k] != x) k++;
        if (k == m->top) trouble(m);
        take_off(m, k);
    }
    return closed(m, mark);
}
static i64 added(Machine *m, i64 row, i64 x) { return made_of(m, 9, row, x, added_anew); }
static i64 taken_above(Machine *m, i64 row, i64 gone) { return taken_anew(m, row, gone, 0); }
static i64 taken_below(Machine *m, i64 row, i64 gone) { return taken_anew(m, row, gone, 1); }
static i64 taken(Machine *m, i64 row, i64 gone, int below) {
    return made_of(m, 7 + below, row, gone, below ? taken_below : taken_above);
}
static inline i64 bounded(Machine *m, i64 row) { if (UNLIKELY(length(m, row) > LONGEST)) trouble(m); return row; }
static int within(Machine *m, i64 part, i64 whole) {
    i64 count = length(m, part);
    need(m, whole);
    for (i64 i = 0; i < count; i++) if (!has(m, whole, at(m, part, i))) return 0;
    return 1;
}
static int as_often(Machine *m, i64 part, i64 whole) {
    i64 count = length(m, part);
    need(m, whole);
    for (i64 i = 0; i < count; i++)
        if (times_in(m, part, at(m, part, i)) > times_in(m, whole, at(m, part, i))) return 0;
    return 1;
}
static int all_different(Machine *m, size_t mark) { /* those on the stack */
    sorted(m, mark);
    int found = 1;
    for (size_t i = mark + 1; i < m->top; i++) if (m->stack[i] == m->stack[i - 1]) found = 0;
    m->top = mark;
    return found;
}
/* Of pairs on the stack, an element and its number, the elements with the highest (sign 1) or lowest (-1). */
static void best_of(Machine *m, size_t mark, i64 sign) {
    size_t to = mark;
    i64 most = NOTHING;
    for (size_t i = mark; i < m->top; i += 2) {
        i64 y = m->stack[i + 1];
        if (y != NOTHING && (most == NOTHING || (sign > 0 ? y > most : y < most))) most = y;
    }
    for (size_t i = mark; i < m->top; i += 2)
        if (most != NOTHING && m->stack[i + 1] == most) { i64 x = m->stack[i]; m->stack[to++] = x; }
    m->top = to;
}
static i64 in_turn(Machine *m, i64 row) { /* each once, those played by chance first */
    size_t mark = m->top;
    i64 count = length(m, row);
    for (int pass = 0; pass < 2; pass++)
        for (i64 i = 0; i < count; i++) {
            i64 x = at(m, row, i);
            size_t k = mark;
            while (k < m->top && m->stack[k] != x) k++;
            if (k == m->top && by_chance(x) == !pass) push(m, x);
        }
    return closed(m, mark);
}

static i64 scores_row(Machine *m) { /* nobody looks at it while games are only counted */
    size_t mark = m->top;
    if (m->summing) return 0;
    for (int seat = 0; seat < SEATS; seat++) push(m, m->scores[seat]);
    return closed(m, mark);
}

/* --- masks -------------------------------------------------------------------------------------------------------- */
#define COUNT_OF(x) __builtin_popcountll((u64)(x))
#define LOWEST(x) __builtin_ctzll((u64)(x))
static inline i64 lowest_of(i64 x, const i64 *atoms) { return x ? atoms[LOWEST(x)] : NOTHING; }
static inline i64 highest_of(i64 x, const i64 *atoms) { return x ? atoms[63 - __builtin_clzll((u64)x)] : NOTHING; }
#ifdef __BMI2__
static inline i64 nth_of(u64 x, i64 n) { return LOWEST(__builtin_ia32_pdep_di(1ull << n, x)); }
#else
static inline i64 nth_of(u64 x, i64 n) { while (n--) x &= x - 1; return LOWEST(x); }
#endif
static void push_mask(Machine *m, i64 x, const i64 *atoms) {
    for (u64 rest = (u64)need(m, x); rest; rest &= rest - 1) push(m, atoms[LOWEST(rest)]);
}
static inline i64 row_of(Machine *m, i64 x, const i64 *atoms) {
    if (x == NOTHING) return NOTHING;
    Known *known = m->known + placed((u64)(size_t)atoms, (u64)x); /* mostly a few sets, again and again */
    if (known->mask != x || known->atoms != atoms) {
        size_t mark = m->top;
        push_mask(m, x, atoms);
        *known = (Known){x, closed(m, mark), atoms};
    }
    return known->row;
}
static i64 mask_of(Machine *m, i64 row, const i64 *ranks, i64 low, i64 high) {
    if (row == NOTHING) return NOTHING;
    u64 found = 0;
    i64 count = length(m, row);
    for (i64 i = 0; i < count; i++) {
        i64 x = at(m, row, i);
        if (x < low || x > high || ranks[x - low] < 0) trouble(m);
        found |= 1ull << ranks[x - low];
    }
    return (i64)found;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */
static inline i64 plus(Machine *m, i64 a, i64 b) {
    i64 found;
    if (UNLIKELY(__builtin_add_overflow(need(m, a), need(m, b), &found))) trouble(m);
    return need(m, found);
}
static inline i64 minus(Machine *m, i64 a, i64 b) {
    i64 found;
    if (UNLIKELY(__builtin_sub_overflow(need(m, a), need(m, b), &found))) trouble(m);
    return need(m, found);
}
static i64 product(Machine *m, i64 a, i64 b) {
    i64 found;
    if (__builtin_mul_overflow(need(m, a), need(m, b), &found)) trouble(m);
    if (found >= LARGEST || found <= -LARGEST) trouble(m);
    return found;
}
static i64 quotient(Machine *m, i64 a, i64 b) {
    need(m, a);
    if (b == 0 || b == NOTHING) return 0;
    if (b == -1) return minus(m, 0, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static i64 left_over(Machine *m, i64 a, i64 b) {
    need(m, a);
    if (b == 0 || b == NOTHING) return a;
    if (b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}
static i64 numbers(Machine *m, i64 least, i64 most) {
    if (minus(m, most, least) >= MAX_RANGE) trouble(m);
    size_t mark = m->top;
    for (i64 x = least; x <= most; x++) push(m, x);
    return closed(m, mark);
}
static i64 total(Machine *m, i64 row) {
    i64 found = 0, count = length(m, row);
    for (i64 i = 0; i < count; i++) found = plus(m, found, at(m, row, i));
    return found;
}
static i64 extreme(Machine *m, i64 row, i64 sign) {
    i64 found = NOTHING, count = length(m, row);
    for (i64 i = 0; i < count; i++) {
        i64 x = need(m, at(m, row, i));
        if (found == NOTHING || (sign > 0 ? x > found : x < found)) found = x;
    }
    return found;
}

/* --- what can be chosen ------------------------------------------------------------------------------------------- */
typedef struct { i64 least, most; } Amount;
typedef struct { size_t pool, chosen; i64 size, groups, tried, found; Amount amount; const Amount *limit; const i64 *ranks; i64 low; } Subsets;

static void subset(Machine *m, Subsets *s, i64 from, i64 chosen, const i64 *tally) {
    if (++s->tried > MAX_TRIED || s->found > MAX_FOUND) trouble(m);
    int fits = chosen >= s->amount.least && chosen <= s->amount.most;
    for (i64 g = 0; fits && g < s->groups; g++) fits = tally[g] >= s->limit[g].least && tally[g] <= s->limit[g].most;
    if (fits) {
        i64 x = 0;
        if (s->ranks) for (i64 i = 0; i < chosen; i++) x |= (i64)(1ull << s->ranks[m->stack[s->chosen + (size_t)i] - s->low]);
        else {
            size_t mark = m->top;
            for (i64 i = 0; i < chosen; i++) push(m, m->stack[s->chosen + (size_t)i]);
            x = closed(m, mark);
        }
        push(m, x);
        s->found++;
    }
    if (chosen >= s->amount.most) return;
    for (i64 i = from; i < s->size; i++) {
        i64 x = m->stack[s->pool + (size_t)i];
        if (i > from && x == m->stack[s->pool + (size_t)i - 1]) continue; /* equal things: one has been tried here */
        u64 in = (u64)m->stack[s->pool + (size_t)(s->size + i)];
        i64 grown_tally[MAX_GROUPS];
        int good = 1;
        for (i64 g = 0; g < s->groups; g++) {
            grown_tally[g] = tally[g] + (i64)(in >> g & 1);
            if (grown_tally[g] > s->limit[g].most) good = 0;
        }
        if (!good) continue;
        m->stack[s->chosen + (size_t)chosen] = x;
        subset(m, s, i + 1, chosen + 1, grown_tally);
    }
}
/* From `pool` on the stack has the elements, sorted, and then for each of them in which groups it is. What is found lies
   behind that: masks, if there are ranks, else rows. Returns where it begins. */
static size_t subsets(Machine *m, size_t pool, Amount amount, const Amount *limit, i64 groups, const i64 *ranks, i64 low) {
    i64 size = (i64)(m->top - pool) / 2;
    Subsets s = {pool, m->top, size, groups, 0, 0, amount, limit, ranks, low};
    i64 tally[MAX_GROUPS] = {0};
    need(m, amount.least);
    need(m, amount.most);
    for (i64 i = 0; i <= size; i++) push(m, 0);
    size_t begin = m->top;
    subset(m, &s, 0, 0, tally);
    return begin;
}
static void permuted(Machine *m, i64 pool, i64 count, size_t used, size_t mark, i64 *tried) {
    i64 size = length(m, pool), done = 0;
    while (done < count && m->stack[used + (size_t)(size + done)] != NOTHING) done++;
    if (done == count) {
        if (++*tried > MAX_TRIED) trouble(m);
        size_t begin = m->top;
        for (i64 i = 0; i < count; i++) push(m, m->stack[used + (size_t)(size + i)]);
        push(m, closed(m, begin));
        return;
    }
    for (i64 i = 0; i < size; i++) {
        if (m->stack[used + (size_t)i]) continue;
        m->stack[used + (size_t)i] = 1;
        m->stack[used + (size_t)(size + done)] = at(m, pool, i);
        permuted(m, pool, count, used, mark, tried);
        m->stack[used + (size_t)i] = 0;
        m->stack[used + (size_t)(size + done)] = NOTHING;
    }
}
static size_t permutations(Machine *m, i64 pool, i64 count) {
    i64 size = length(m, pool), tried = 0;
    size_t used = m->top;
    for (i64 i = 0; i < size; i++) push(m, 0);
    for (i64 i = 0; i < count; i++) push(m, NOTHING);
    size_t begin = m->top;
    if (count <= size) permuted(m, pool, count, used, begin, &tried);
    return begin;
}
static Choices more_room(Machine *m, Choices *to, Choices all) __attribute__((noinline));
static Choices more_room(Machine *m, Choices *to, Choices all) {
    all.choice = to->choice = grown(m, to->choice, &to->room, all.count + 1, PARTS * sizeof(i64));
    all.room = to->room;
    return all;
}
/* The next of all choices, which are the writer's own until he puts them back to where they come from. */
#define NEXT_CHOICE ((UNLIKELY(all.count == all.room) ? (all = more_room(m, to, all), 0) : 0), all.choice + PARTS * all.count++)

/* --- chance ------------------------------------------------------------------------------------------------------- */
static inline i64 below(u64 *generator, i64 n) { /* as State._random */
    u64 z = *generator = *generator * 6364136223846793005ull + 1442695040888963407ull;
    return (i64)(((((z >> 22) ^ z) >> 22) & 0xFFFFFFFFull) * (u64)n >> 32);
}
static inline i64 drawn(Chooser *chooser, i64 n) { /* as State.sample */
    if (UNLIKELY(chooser->random != NULL)) return (i64)(chooser->random(chooser->source) * (double)n);
    return below(&chooser->state, n);
}
static void listed(Machine *m, const i64 *v, Choices *to);
static void chance(Machine *m, i64 *v) {
    while (v[1]) {
        i64 node = v[0];
        if (KINDS[node] == CHANCE) {
            i64 n = pool_size(m, v);
            if (!n || --m->budget < 0) trouble(m);
            i64 choice[PARTS];
            choice[0] = pool_at(m, v, below((u64 *)&v[2], n));
            run(m, v, -1, choice);
        } else if (CHANCE_SEATS && KINDS[node] == ASK && by_chance(actor(m, v))) {
            if (--m->budget < 0) trouble(m);
            listed(m, v, &m->dice);
            i64 choice[PARTS];
            memcpy(choice, m->dice.choice + PARTS * (size_t)below((u64 *)&v[2], (i64)m->dice.count), sizeof choice);
            run(m, v, -1, choice);
        } else return;
    }
}

/* --- plans: as State._leads_on, choice by choice ------------------------------------------------------------------ */
static i64 *look_at(Machine *m, size_t number) { return m->looks + (KEPT + 1) * number; }
static int new_look(Machine *m) { /* at the position that is tried; not if it is dead, or seen in this look */
    if (m->look_count == m->look_room)
        m->looks = grown(m, m->looks, &m->look_room, m->look_count + 1, (KEPT + 1) * sizeof(i64));
    i64 *kept = look_at(m, m->look_count);
    keep(m->trial, kept);
    const u64 hash = hash_of(kept, KEPT);
    if (2 * (m->seen_count + 1) > m->seen_room) {
        size_t wanted = m->seen_room ? 2 * m->seen_room : 512;
        Seen *seen = calloc(wanted, sizeof(Seen));
        if (!seen) trouble(m);
        for (size_t i = 0; i < m->seen_room; i++)
            if (m->seen[i].question == m->question) {
                size_t k = m->seen[i].hash & (wanted - 1);
                while (seen[k].question) k = (k + 1) & (wanted - 1);
                seen[k] = m->seen[i];
            }
        free(m->seen);
        m->seen = seen;
        m->seen_room = wanted;
    }
    size_t k = hash & (m->seen_room - 1);
    for (; m->seen[k].question == m->question; k = (k + 1) & (m->seen_room - 1)) {
        Seen *s = m->seen + k;
        if (s->hash == hash && !memcmp(look_at(m, s->look), kept, KEPT * sizeof(i64))) {
            if (s->stamp == m->stamp || m->dead[s->stamp]) return 0;
            s->stamp = m->stamp;
            m->look_count++;
            return 1;
        }
    }
    m->seen[k] = (Seen){hash, m->stamp, m->question, m->look_count++};
    m->seen_count++;
    return 1;
}
static void look_anew(Machine *m, const i64 *v) { /* at a question: what is known to be dead holds for all its choices */
    m->question++;
    m->seen_count = m->look_count = 0;
    m->stamp = 0;
    m->left = PLANS;
    memcpy(m->trial, v, sizeof m->trial);
    m->trial[8] = 1;
    keep(m->trial, m->here);
}
static i64 tried(Machine *m, const i64 *choice) {
    m->budget = BUDGET;
    run(m, m->trial, -1, choice);
    return m->trial[0];
}
static int goes_straight(Machine *m) { /* by the first choice each time */
    for (int steps = 1; steps < STRAIGHT; steps++) {
        m->one.count = 0;
        offer(m, m->trial, &m->one, 0);
        if (!m->one.count) return 0;
        const i64 node = tried(m, m->one.choice);
        if (node == FITS) return 1;
        if (node == FAILS || KINDS[node] != ASK) return 0;
    }
    return 0;
}
static void look_further(Machine *m) { /* with all choices that there are at the position that is tried */
    if (KINDS[m->trial[0]] != ASK) trouble(m);
    if (!new_look(m)) return;
    look_at(m, m->look_count - 1)[KEPT] = (i64)m->ahead.count;
    offer(m, m->trial, &m->ahead, 0);
}
static int ends_well(Machine *m, const i64 *choice) {
    restore(m->trial, m->here);
    const i64 node = tried(m, choice);
    if (node == FITS || (KINDS[node] == ASK && goes_straight(m))) return 1;
    if (--m->left < 0) trouble(m);
    if (node == FAILS) return 0;
    m->stamp++;
    if (m->stamp >= m->dead_room) m->dead = grown(m, m->dead, &m->dead_room, m->stamp + 1, 1);
    m->dead[m->stamp] = 0;
    restore(m->trial, m->here);
    tried(m, choice);
    size_t here = m->look_count, next = m->ahead.count = 0;
    look_further(m);
    for (; here < m->look_count; here++)
        for (;;) {
            const size_t end = here + 1 < m->look_count ? (size_t)look_at(m, here + 1)[KEPT] : m->ahead.count;
            if (next == end) break;
            if (--m->left < 0 || m->ahead.count - next > PLANS_AHEAD) trouble(m);
            restore(m->trial, look_at(m, here));
            const i64 there = tried(m, m->ahead.choice + PARTS * next++);
            if (there == FITS) return 1;
            if (there != FAILS) look_further(m);
        }
    m->dead[m->stamp] = 1;
    return 0;
}
static int leads_on(Machine *m, const i64 *choice) {
    const i64 budget = m->budget;
    const int found = ends_well(m, choice);
    m->budget = budget;
    return found;
}
static inline int in_plan(const i64 *v) { return v[4] != NOTHING && PLANNED[v[0]]; }

/* All that can be chosen, in its order: as State.legal. */
static void listed(Machine *m, const i64 *v, Choices *to) {
    to->count = 0;
    if (KINDS[v[0]] == CHANCE) {
        i64 n = pool_size(m, v);
        for (i64 i = 0; i < n; i++) {
            i64 x = pool_at(m, v, i);
            size_t k = 0;
            while (k < to->count && to->choice[PARTS * k] != x) k++;
            if (k < to->count) continue;
            Choices all = *to;
            i64 *c = NEXT_CHOICE;
            memset(c, 0, PARTS * sizeof(i64));
            c[0] = x;
            *to = all;
        }
    } else if (KINDS[v[0]] == ASK) {
        offer(m, v, to, 0);
        if (in_plan(v)) {
            size_t kept = 0;
            look_anew(m, v);
            for (size_t i = 0; i < to->count; i++)
                if (leads_on(m, to->choice + PARTS * i)) {
                    if (kept != i) memcpy(to->choice + PARTS * kept, to->choice + PARTS * i, PARTS * sizeof(i64));
                    kept++;
                }
            to->count = kept;
        }
    }
    if (!to->count) trouble(m);
}

/* One choice, as State.sample takes it: where it was listed, or in a place for it. */
static const i64 *sampled(Machine *m, const i64 *v, Chooser *chooser, i64 habits, i64 *choice) {
    Choices *all = &m->offers;
    if (KINDS[v[0]] == CHANCE) {
        i64 n = pool_size(m, v);
        if (!n) trouble(m);
        choice[0] = pool_at(m, v, drawn(chooser, n));
        return choice;
    }
    if (KINDS[v[0]] != ASK) trouble(m);
    if (!in_plan(v) && quickly(m, v, chooser, choice)) return choice;
    all->count = 0;
    u64 skip = habits ? rare(chooser, v[0]) : 0;
    offer(m, v, all, skip);
    if (skip && !all->count) offer(m, v, all, 0);
    if (!all->count) trouble(m);
    if (!in_plan(v)) return all->choice + PARTS * (size_t)drawn(chooser, (i64)all->count);
    look_anew(m, v);
    while (all->count) {
        size_t index = (size_t)drawn(chooser, (i64)all->count);
        memcpy(choice, all->choice + PARTS * index, PARTS * sizeof(i64));
        all->count--;
        if (index != all->count) memcpy(all->choice + PARTS * index, all->choice + PARTS * all->count, PARTS * sizeof(i64));
        if (leads_on(m, choice)) return choice;
    }
    trouble(m);
}

/* --- what the extension calls: nothing jumps out of these --------------------------------------------------------- */
#define TRY(m) if (((m)->top = 0), setjmp((m)->out)) return TROUBLE; else

static void api_gone(Machine *m) {
    free(m->cell); free(m->head); free(m->place); free(m->stack); free(m->offers.choice); free(m->dice.choice);
    free(m->ahead.choice); free(m->one.choice); free(m->looks); free(m->seen); free(m->dead); free(m);
}
static Machine *api_made(void) {
    Machine *m = calloc(1, sizeof(Machine));
    if (!m) return NULL;
    m->budget = BUDGET;
    m->one.most = 1;
    if (setjmp(m->out)) { api_gone(m); return NULL; }
    more_places(m, 256);
    closed(m, m->top); /* the empty row has number 0 */
    constants(m);
    if (!setjmp(m->out)) { /* up to the first decision or chance all games are the same */
        start(m, m->opening);
        m->opened = 1;
    }
    m->first_rows = m->rows;
    m->first_cells = m->cells;
    return m;
}
static const i64 *api_row(Machine *m, i64 row, i64 *count) { *count = m->head[row].count; return m->cell + m->head[row].at; }
static i64 api_kept(Machine *m, const i64 *values, i64 count) {
    size_t mark = m->top;
    if (setjmp(m->out)) { m->top = mark; return NOTHING; }
    for (i64 i = 0; i < count; i++) push(m, values[i]);
    return closed(m, mark);
}
static i64 api_rows(Machine *m) { return (i64)(m->rows - m->first_rows); }
static void tidied(Machine *m, size_t rows, size_t cells) {
    m->rows = rows;
    m->cells = cells;
    memset(m->place, 0, m->places * sizeof(u32));
    memset(m->known, 0, sizeof m->known);
    memset(m->rows_made, 0, sizeof m->rows_made);
    for (size_t row = 0; row < m->rows; row++) enter(m, row);
}
static void api_tidy(Machine *m) { tidied(m, m->first_rows, m->first_cells); }
static int api_begin(Machine *m, i64 *v) { memcpy(v, m->opening, sizeof m->opening); return m->opened ? FINE : TROUBLE; }
static i64 api_actor(Machine *m, const i64 *v) { TRY(m) return actor(m, v); }
static i64 api_legal(Machine *m, const i64 *v, const i64 **choices) {
    TRY(m) { listed(m, v, &m->offers); *choices = m->offers.choice; return (i64)m->offers.count; }
}
static int gone_on(Machine *m, i64 *v, const i64 *choice, Tell *tell, Flush *flush, void *whom) {
    m->tell = tell; m->flush = flush; m->whom = whom;
    m->top = 0;
    m->budget = BUDGET;
    int jumped = setjmp(m->out);
    if (!jumped) {
        if (choice) run(m, v, -1, choice);
        chance(m, v);
    }
    m->tell = NULL; m->flush = NULL;
    return jumped ? TROUBLE : FINE;
}
static int api_apply(Machine *m, i64 *v, const i64 *choice, Tell *tell, Flush *flush, void *whom) {
    return gone_on(m, v, choice, tell, flush, whom);
}
static int api_go_on(Machine *m, i64 *v, Tell *tell, Flush *flush, void *whom) {
    return gone_on(m, v, NULL, tell, flush, whom);
}
static int api_sample(Machine *m, const i64 *v, Chooser *chooser, i64 habits, i64 *choice) {
    TRY(m) {
        memset(choice, 0, PARTS * sizeof(i64));
        const i64 *found = sampled(m, v, chooser, habits, choice);
        memmove(choice, found, PARTS * sizeof(i64));
        return FINE;
    }
}
static i64 counted(Machine *m, const i64 *v, i64 depth, i64 left, i64 *nodes, i64 *finished) {
    nodes[0]++;
    if (v[0] == OVER) { finished[0]++; return left; }
    if (!depth) return left;
    size_t mark = m->top;
    listed(m, v, &m->offers);
    size_t size = m->offers.count * PARTS;
    for (size_t i = 0; i < size; i++) push(m, m->offers.choice[i]);
    left -= (i64)(size / PARTS);
    for (size_t i = 0; left >= 0 && i < size; i += PARTS) {
        i64 next[SLOTS], choice[PARTS];
        memcpy(next, v, sizeof next);
        memcpy(choice, m->stack + mark + i, sizeof choice);
        m->budget = BUDGET;
        run(m, next, -1, choice);
        chance(m, next);
        left = counted(m, next, depth - 1, left, nodes + 1, finished + 1);
    }
    m->top = mark;
    return left;
}
static i64 api_perft(Machine *m, const i64 *v, i64 depth, i64 most, i64 *nodes, i64 *finished) {
    TRY(m) { i64 left = counted(m, v, depth, most, nodes, finished); return left < 0 ? TOO_MANY : left; }
}
/* So many games, the k-th with the seed `seed + k`: from the beginning, or from a position. How many were played: one
   that cannot go on ends it, and is not counted. */
static i64 api_play(Machine *m, const i64 *from, u64 seed, i64 games, i64 habits, i64 most, Sums *sums) {
    volatile i64 done = 0;
    i64 v[SLOTS], choice[PARTS];
    memset(choice, 0, sizeof choice);
    const size_t rows = m->rows, cells = m->cells; /* somebody may hold positions with these */
    m->summing = 1;
    if (setjmp(m->out) || !(from || m->opened)) { m->summing = 0; return done; }
    if (from && from[0] == OVER && from[5] != NOTHING)
        for (i64 seat = 0; seat < SEATS; seat++) m->scores[seat] = at(m, from[5], seat);
    for (; done < games; done++) {
        if (m->rows > rows + TIDY_AT) tidied(m, rows, cells);
        m->top = 0;
        m->budget = BUDGET;
        memcpy(v, from ? from : m->opening, sizeof v);
        v[1] = 1;
        v[2] = (i64)scrambled(seed + (u64)done);
        Chooser chooser = {scrambled(~(seed + (u64)done)), NULL, NULL};
        chance(m, v);
        i64 decisions = 0;
        while (v[0] != OVER && decisions < most) {
            const i64 *chosen = sampled(m, v, &chooser, habits, choice);
            m->budget = BUDGET;
            run(m, v, -1, chosen);
            chance(m, v);
            decisions++;
        }
        if (v[0] == OVER && v[5] != NOTHING)
            for (i64 seat = 0; seat < SEATS; seat++) need(m, m->scores[seat]);
        sums->games++;
        sums->decisions += decisions;
        if (v[0] != OVER) { sums->unfinished++; continue; }
        for (i64 seat = 0; seat < SEATS; seat++) {
            int won = has(m, v[3], SEAT_ATOMS[seat]);
            sums->wins[seat] += won;
            sums->scores[seat] += v[5] == NOTHING ? won : m->scores[seat];
        }
    }
    m->summing = 0;
    return done;
}

/* --- the rules ---------------------------------------------------------------------------------------------------- */
