#define _GNU_SOURCE
#include "options.h"

#include <stddef.h>

struct posix_option posix_next_option(int argc, char *const argv[], const char *short_options,
                                      const struct option *long_options, bool restart) {
  // 0 rather than 1: GNU's way to have the order of words read anew.
  if (restart) optind = 0;
  opterr = 0;
  int before = optind > 0 ? optind : 1;
  int kind = getopt_long(argc, argv, short_options, long_options, NULL);
  return (struct posix_option){
      .kind = kind,
      .argument = optarg,
      .word = before < argc ? argv[before] : NULL,
      .rest = optind,
  };
}
