import Glibc
import Testing

/// An sshd of a test's own, on a port of this machine that only it knows, and
/// an `ssh` in front of the real one that finds it as `testhost`.
///
/// Who logs in gets the world of the test, with `banter` in its PATH.
final class SSHServer: Sendable {
  let world: World
  private let process: pid_t

  /// - Parameters:
  ///   - passphrase: of the key that is logged in with.
  ///   - knowsHost: whether the host's key is known.
  ///   - waits: whether ssh waits, before it does anything, until `go` is in
  ///     the world's folder.
  init(passphrase: String = "", knowsHost: Bool = true, waits: Bool = false) async throws {
    // Programs of the world begin in its folder.
    let world = World(["PATH": "bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"])
    self.world = world
    let path = world.folder.path
    let waiting = waits ? "until [ -e '\(path)/go' ]; do sleep 0.02; done" : ":"
    let setup = await Program.run(
      """
      set -e
      cd '\(path)'
      mkdir bin
      ssh-keygen -q -t ed25519 -N '' -f hostkey
      ssh-keygen -q -t ed25519 -N '\(passphrase)' -f key
      cp key.pub authorized
      cat >login <<'END'
      #!/bin/sh
      export PATH='\(path)/bin':/usr/bin:/bin HOME='\(path)' XDG_RUNTIME_DIR='\(path)'
      export XDG_DATA_HOME='\(path)/data' XDG_STATE_HOME='\(path)/state' LANG=C.UTF-8
      [ -e banner ] && cat banner
      exec sh -c "$SSH_ORIGINAL_COMMAND"
      END
      cat >sshd_config <<'END'
      ListenAddress 127.0.0.1
      HostKey \(path)/hostkey
      AuthorizedKeysFile \(path)/authorized
      PidFile none
      UsePAM no
      StrictModes no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      ForceCommand cd '\(path)' && ./login
      END
      cat >bin/ssh <<'END'
      #!/bin/sh
      \(waiting)
      exec /usr/bin/ssh -F '\(path)/ssh_config' "$@"
      END
      ln -s '\(Program.banter)' bin/banter
      chmod +x login bin/ssh
      if [ "$(id -u)" = 0 ]; then mkdir -p -m 755 /run/sshd; fi
      for attempt in 1 2 3 4 5; do
        port=$(python3 -c "$(printf '%s\\n' 'import socket; s = socket.socket()' \
          's.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')")
        setsid timeout 300 /usr/sbin/sshd -D -e -f sshd_config -p $port \
          </dev/null >sshd.log 2>&1 &
        until grep -q 'Server listening' sshd.log; do
          kill -0 $! 2>/dev/null || continue 2
          sleep 0.02
        done
        echo $! >sshd.pid
        break
      done
      \(knowsHost ? "echo \"[127.0.0.1]:$port $(cut -d' ' -f1,2 hostkey.pub)\" >known" : ":")
      cat >ssh_config <<END
      Host testhost
        HostName 127.0.0.1
        Port $port
        User $(id -un)
        IdentityFile \(path)/key
        IdentitiesOnly yes
        UserKnownHostsFile \(path)/known
        GlobalKnownHostsFile /dev/null
        UpdateHostKeys no
      END
      """)
    try #require(setup.status == 0, "\(setup.errorText)")
    let id = String(decoding: world.folder.read("sshd.pid") ?? [], as: UTF8.self)
    process = try #require(pid_t(id.filter(\.isNumber)))
  }

  deinit {
    kill(process, SIGTERM)
  }

  /// The room `lobby` of this world, over ssh.
  var room: String { "ssh://testhost\(world.path())" }

  /// The ids of the programs whose command line has this server's settings in
  /// it: its ssh.
  var clients: [pid_t] {
    get async {
      let found = await Program.run("pgrep -f -- '[-]F \(world.folder.path)/ssh_config'")
      return found.lines.compactMap { pid_t($0) }
    }
  }
}
