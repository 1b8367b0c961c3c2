/// Why an image cannot be shown. Whoever shows it makes the sentence.
package enum ImageFailure: Error, Hashable, Sendable {
  /// A program that it needs is not there.
  case notInstalled(program: String)
  /// The system starts no program now, errno(3).
  case cannotStart(program: String, errorNumber: Int32)
  /// A program was ended from outside.
  case ended(program: String)
  /// A program of the user's own does not work in the sandbox.
  case shutIn(program: String)
  /// The address is none of the web, or none at all.
  case badAddress
  /// A host whose name is not written in ASCII.
  case foreignHost
  /// A host that is not on the public Internet.
  case forbiddenAddress(host: String)
  /// A host whose address is that of no server.
  case uselessAddress(host: String)
  /// A name that nobody knows.
  case unknownHost(String)
  /// So many names are looked up without an answer that no further one is.
  case tooManyLookups
  /// Nobody answers there, or the connection broke.
  case unreachable(host: String)
  /// The certificate does not belong to the host, or nobody vouches for it.
  case untrusted(host: String)
  /// What the server said instead of sending it (RFC 9110, 15).
  case status(Int)
  case tooManyRedirects
  /// It took longer than it may.
  case timedOut
  /// The connection ended before the end of the image.
  case incomplete
  /// There is a file, without anything in it.
  case empty
  case tooLarge(limitInBytes: Int)
  /// More pixels than may be decoded.
  case tooManyPixels(PixelSize)
  /// Bytes of another kind, such as a page that says something.
  case notAnImage
  /// It begins as an image, and cannot be read as one.
  case undecodable
  /// The stored path leads out of the room.
  case notInRoom
  /// Nothing is there, or no regular file.
  case notAFile
  /// What the room hands out is not what the message says of it.
  case altered
  /// There is no place to keep it in while it is shown, errno(3).
  case notKept(errorNumber: Int32)
  /// The room does not hand it out.
  case refusedByRoom
  /// Nobody wanted it any more.
  case cancelled

  /// Whether the same may succeed later although nobody has changed anything.
  package var isTransient: Bool {
    switch self {
    case .unreachable, .timedOut, .incomplete, .notKept, .cancelled, .unknownHost,
      .cannotStart, .ended, .tooManyLookups:
      true
    case .status(let code): code == 408 || code == 429 || (500...599).contains(code)
    default: false
    }
  }
}

/// The size of a picture as it is shown.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  /// Neither is negative.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
  }

  /// How many pixels that are, as many as can be counted.
  package var count: Int {
    let (product, isOverflow) = width.multipliedReportingOverflow(by: height)
    return isOverflow ? .max : product
  }
}
