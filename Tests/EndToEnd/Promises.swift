import Testing

/// What Banter promises, held against the real program in a real terminal.
///
/// One test after the other: each has programs of its own under way, and some
/// measure whether anything moves at all.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct Promises {}
