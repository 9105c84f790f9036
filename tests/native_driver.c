/* Plays a game's library without Python: for the sanitizers, which want a program of their own.
   cc -fsanitize=address,undefined -DGAME='"game.c"' native_driver.c */
#include <stdio.h>
#include GAME

static i64 told;
static void hear(void *whom, i64 event, u64 mask, i64 planner, const i64 *values) {
    for (i64 i = 0; i < tabarro_game.telling[event].count; i++) told ^= values[i] + (i64)mask + planner;
    (void)whom;
}
static void hear_all(void *whom, u64 planner) { told ^= (i64)planner; (void)whom; }

int main(int count, char **words) {
    const Game *g = &tabarro_game;
    i64 games = count > 1 ? atoll(words[1]) : 10, wins[SEATS], scores[SEATS], decisions = 0;
    Machine *m = g->made();
    if (!m) return 1;
    memset(wins, 0, sizeof wins);
    memset(scores, 0, sizeof scores);
    Sums sums = {0, 0, 0, wins, scores};
    if (g->play(m, NULL, 1, games, 1, 20000, &sums) != games) return 2;
    for (i64 seed = 0; seed < games; seed++) { /* the same step by step, with everything listed and told */
        i64 v[SLOTS];
        Chooser chooser = {(u64)seed, NULL, NULL};
        if (g->begin(m, v) != FINE) return 3;
        v[1] = 1;
        v[2] = seed;
        if (g->go_on(m, v, hear, hear_all, NULL) != FINE) return 4;
        for (int turn = 0; v[0] != OVER && turn < 300; turn++, decisions++) {
            const i64 *choices;
            i64 found = g->legal(m, v, &choices), choice[PARTS];
            if (found < 1 || g->actor(m, v) < 0) return 5;
            if (g->sample(m, v, &chooser, 1, choice) != FINE) return 6;
            if (g->apply(m, v, choice, hear, hear_all, NULL) != FINE) return 7;
        }
        g->tidy(m);
    }
    i64 v[SLOTS], nodes[4] = {0}, finished[4] = {0};
    g->begin(m, v);
    g->perft(m, v, 3, 20000, nodes, finished);
    printf("%lld games, %lld decisions, %lld listed\n", (long long)sums.games, (long long)sums.decisions, (long long)decisions);
    g->gone(m);
    return 0;
}
