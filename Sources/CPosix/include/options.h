// getopt_long(3), whose state is kept on this side.
#ifndef BANTER_OPTIONS_H
#define BANTER_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

/// What posix_next_option found; the strings belong to argv.
struct posix_option {
  /// The option's `val`, 1 for a word that is no option, '?' for an unknown
  /// option, ':' for one whose argument is missing, -1 at the end or at `--`.
  int kind;
  const char *argument;
  /// The word in which an unknown option stood.
  const char *word;
  /// Where the words begin that no option stands among any more.
  int rest;
};

/// The next option of argv; `restart` begins anew.
struct posix_option posix_next_option(int argc, char *const argv[], const char *short_options,
                                      const struct option *long_options, bool restart);

#endif
