import Testing

/// Tests with servers of their own, one after the other: several clusters at
/// once would leave nothing of a small machine to the others.
@Suite(.serialized) enum Clusters {}
