import ChatModel
import Glibc
import Testing

extension Promises {
  /// A hub's socket is for those for whom it is meant.
  @Suite struct TeamSockets {
    /// Serves, prints mode and group of the socket while it is there, and ends.
    private func outcome(of options: String, as user: String = "") async -> Outcome {
      let world = World()
      return await world.run(
        """
        umask 077; chmod 711 .; mkdir -m 777 open; socket=$HOME/open/socket
        \(user) $banter serve open --listen unix://$socket \(options) 2>log & hub=$!
        until grep -q serving log || ! kill -0 $hub 2>/dev/null; do sleep 0.02; done
        stat -c '%a %G' $socket; kill $hub; wait $hub; echo $?; cat log >&2
        """)
    }

    @Test(arguments: [
      ("", "600"), ("--socket-mode 660", "660"), ("--socket-mode 0666", "666"),
      ("--socket-group $(id -gn)", "660"), ("--socket-group $(id -g) --socket-mode 620", "620"),
    ])
    func `a socket is for whom it is said, whatever umask says`(
      _ options: String, _ mode: String
    ) async {
      let outcome = await outcome(of: options)
      let group = await Program.run("id -gn").lines.first ?? ""
      #expect(outcome.lines == ["\(mode) \(group)", "0"], "\(outcome.errorText)")
    }

    @Test func `a socket that may not be given to a group is not made`() async {
      let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
      let outcome = await outcome(of: "--socket-group root", as: user)
      #expect(outcome.lines == ["77"], "\(outcome.errorText)")
      #expect(outcome.errorText.contains("has to be in it"))
    }

    @Test(.enabled(if: geteuid() == 0))
    func `who is in the group comes in as himself, and nobody else`() async {
      let world = World()
      let outcome = await world.run(
        """
        chmod 711 .; mkdir -m 755 run; group=$(getent group 100 | cut -d: -f1)
        $banter serve data/banter/rooms --listen unix://$HOME/run/socket --socket-group $group \\
          2>log & hub=$!
        until grep -q serving log; do sleep 0.02; done
        call() {
          HOME=/nowhere setpriv --reuid=65534 --regid=65534 "$@" env -u XDG_STATE_HOME \\
            $banter send --no-log --no-queue "unix://$PWD/run/socket?room=lobby" hello; echo $?
        }
        call --groups=100; call --clear-groups; kill $hub; wait $hub
        """)
      #expect(outcome.lines == ["0", "77"], "\(outcome.errorText)")
      #expect(world.messages().map(\.profileID) == ["nobody"])
    }
  }
}
