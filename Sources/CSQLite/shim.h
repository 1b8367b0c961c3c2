#include <sqlite3.h>

/* A cast macro, which Swift does not import: SQLite copies the bytes. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index,
                                    const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

/* The same for a result. */
static inline void csqlite_result_text(sqlite3_context *context,
                                       const char *bytes,
                                       sqlite3_uint64 count) {
  sqlite3_result_text64(context, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* A variadic, which Swift does not import. */
static inline int csqlite_set_defensive(sqlite3 *database) {
  int isOn = 0;
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, &isOn);
}
