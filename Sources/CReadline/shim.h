// GNU readline and its history library. Every function and variable is bound
// to the main actor, so that a use from elsewhere does not compile.
// What readline's headers include comes first: it is not the main actor's.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#pragma clang attribute push(__attribute__((swift_attr("@MainActor"))), \
                             apply_to = any(function, variable(is_global)))
#include <readline/readline.h>
#include <readline/history.h>
// Declared in readline's rlprivate.h: whether the next kill joins the last;
// what a command that waits for one more key goes on with; how a macro ends;
// the command that vi's `.` repeats.
extern int _rl_last_command_was_kill;
extern void *_rl_callback_func;
extern void _rl_pop_executing_macro(void);
extern int _rl_vi_last_command;
#pragma clang attribute pop
