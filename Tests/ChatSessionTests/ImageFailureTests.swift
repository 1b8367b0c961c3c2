import Glibc
import ImageAssets
import Testing
import Transport

@testable import ChatSession

@Suite struct ImageFailureTests {
  @Test(arguments: [
    (TransportError(.invalid, reason: "outside"), ImageFailure.notInRoom),
    (TransportError(.invalid, path: "/f", reason: "a folder"), .notAFile),
    (TransportError(.notFound, reason: "none"), .notAFile),
    (TransportError(.denied, reason: "no"), .refusedByRoom),
    (TransportError(.refused, reason: "no"), .refusedByRoom),
    (TransportError(.altered, reason: "other"), .altered),
    (TransportError(.tooLarge, reason: "large"), .tooLarge(limitInBytes: 7)),
    (TransportError(.unreachable, reason: "away"), .unreachable(host: "team")),
    (TransportError(.broken, reason: "odd"), .unreachable(host: "team")),
    (TransportError(.busy, reason: "later"), .unreachable(host: "team")),
    (TransportError(.closed, reason: "shut"), .unreachable(host: "team")),
    (
      TransportError(.noSpace, errorNumber: ENOSPC, path: "/f", reason: "full"),
      .notKept(errorNumber: ENOSPC)
    ),
    (TransportError(.inputOutput, errorNumber: EIO, reason: "bad"), .notKept(errorNumber: EIO)),
    (TransportError(.inputOutput, reason: "bad"), .unreachable(host: "team")),
  ])
  func `says of a room what passes and what lasts`(error: TransportError, failure: ImageFailure) {
    #expect(ImageFailure(error, room: "team", limit: 7) == failure)
    #expect(failure.isTransient == error.code.isTransient)
  }
}
