package import Sockets
package import TransportSecurity

/// What a hub serves, where, and to whom.
package struct HubConfiguration: Sendable {
  /// What is served.
  package enum Place: Hashable, Sendable {
    /// One room, called by the file's name or by none.
    case file(String)
    /// Each `NAME.jsonl` in a folder.
    case folder(String)
  }

  /// How is known who somebody is.
  package enum Access: Hashable, Sendable {
    /// Anyone may come in as anyone.
    case open
    /// By name and password.
    case accounts
    /// The system says who is at the other end of a Unix socket.
    case system
    /// It is the user that this process runs as, such as one whom sshd has let
    /// in.
    case ownUser
  }

  /// A place to listen at.
  package struct Endpoint: Hashable, Sendable {
    package var address: SocketAddress
    package var access: Access
    /// A socket that listens there already, and becomes the hub's.
    package var socket: Int32?
    /// Who may call there, where it is a Unix socket that the hub makes.
    package var rights = SocketRights()

    package init(_ address: SocketAddress, access: Access, socket: Int32? = nil) {
      self.address = address
      self.access = access
      self.socket = socket
    }
  }

  /// What one who comes may take, at most.
  package struct Limits: Sendable {
    package var connections = 10_000
    /// How many rooms one connection may be in.
    package var roomsPerConnection = 100
    /// Events a second and connection; 0 is no limit.
    package var eventsPerSecond = 0
    /// A line's bytes without its newline.
    package var lineBytes = 1024 * 1024
    /// How much may wait for a slow reader, who then reads on from the file.
    package var outputBytes = 512 * 1024
    /// How many bytes of events may wait to be acknowledged to one connection;
    /// it is not listened to until they are fewer.
    package var unansweredBytes = 4 * 1024 * 1024
    /// How long one may take to say who he is.
    package var greeting = Duration.seconds(10)
    /// How long one may take to say his password: somebody types it.
    package var login = Duration.seconds(120)
    /// A line's bytes before the welcome, when nobody knows who it is.
    package var greetingBytes = 128 * 1024
    /// How often one connection may try to log in, and one address within a
    /// minute.
    package var logins = 3
    package var loginsPerAddress = 10
    /// How long nothing is heard before asking, and before giving up.
    package var quiet = Duration.seconds(20)
    package var silence = Duration.seconds(60)
    /// How long the last words may take, and then hanging up.
    package var farewell = Duration.seconds(5)
    /// How long another program's lock is waited for.
    package var lockPatience = Duration.seconds(5)
    /// How often is looked whether some time has passed: above 0, and at most
    /// a second.
    package var tick = Duration.seconds(1)
    /// Of how many people in a room is told who comes and goes.
    package var announcedMembers = 100

    /// What one file may be large at most.
    package var fileBytes: Int64 = 64_000_000
    /// How many files may be brought, and fetched, at once.
    package var uploads = 64
    package var downloads = 128
    package var downloadsPerConnection = 4

    package init() {}
  }

  package var place: Place
  package var endpoints: [Endpoint] = []
  package var limits = Limits()
  /// What is said to those who call at an address with TLS.
  package var security: TLSContext?
  package var accounts: [String: Account] = [:]
  /// Makes up what those are answered who have no account.
  package var loginSecret = randomBytes(32)
  package var isReadOnly = false
  /// Whether a room comes into being when it is first sent to.
  package var makesRooms = true
  /// Its name and version, for people.
  package var server: String

  package init(place: Place, server: String) {
    self.place = place
    self.server = server
  }
}
