# Completion of banter for bash.

# Offers each line of its input that begins with the current word, blanks and all.
_banter_offer() {
  local line
  while IFS= read -r line; do
    [[ $line == "$word"* ]] && COMPREPLY+=("$line")
  done
}

_banter_rooms() {
  local rooms=${XDG_DATA_HOME:-$HOME/.local/share}/banter/rooms room
  for room in "$rooms"/*.jsonl; do
    [[ -e $room ]] && basename "$room" .jsonl
  done
}

_banter() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= group= i
  COMPREPLY=()
  compopt -o filenames
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -*) ;;
      log|outbox|user) [[ -z $command ]] && group=${COMP_WORDS[i]} command=$group ;;
      *) if [[ -n $group && $command == "$group" ]]; then command="$group ${COMP_WORDS[i]}"
         elif [[ -z $command ]]; then command=${COMP_WORDS[i]}; fi ;;
    esac
  done
  case $previous in
    --style) _banter_offer <<< $'bubble\ncompact\nplain'; return ;;
    --color) _banter_offer <<< $'auto\nalways\nnever'; return ;;
    --format) _banter_offer <<< $'text\nmarkdown\nhtml\njsonl'; return ;;
    --room) _banter_offer < <(_banter_rooms); return ;;
    --listen) _banter_offer <<< $'tcp://127.0.0.1:7750\ntls://:7751\nunix:///'; return ;;
    --socket-mode) _banter_offer <<< $'600\n660\n666'; return ;;
    --socket-group) mapfile -t COMPREPLY < <(compgen -g -- "$word"); return ;;
    --output|-o|--cert|--key|--attach) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --as|--profile-id|--tail|--since|-n|--lines|--max-connections|--max-rate|--max-file) return ;;
  esac
  if [[ $word == -* ]]; then
    local options='--as --profile-id --style --color --tail --no-log'
    case $command in
      send) options='--attach --as --profile-id --no-queue --no-log' ;;
      tail) options='--lines --follow --json --as --profile-id --style --color' ;;
      'log sessions') options='--lines --json' ;;
      'log show') options='--json --style --color' ;;
      'log search') options='--lines --json --style --color' ;;
      'log export') options='--room --since --format --output' ;;
      'outbox list') options='--json' ;;
      serve) options='--listen --socket-mode --socket-group --open --insecure --cert --key --stdio
        --read-only --no-new-rooms --max-connections --max-rate --max-file --json' ;;
      'user add') options='--room --all-rooms --read-only --read-write' ;;
      log*|outbox*|user*) options= ;;
    esac
    _banter_offer < <(printf '%s\n' $options --help --version)
    return
  fi
  case $command in
    '') _banter_offer < <(printf '%s\n' send tail log outbox serve user; _banter_rooms) ;;
    log) _banter_offer <<< $'sessions\nshow\nsearch\nexport\nindex\ncopy\ncheck'; return ;;
    outbox) _banter_offer <<< $'list\nflush\ndiscard'; return ;;
    user) _banter_offer <<< $'add\nremove\nlist'; return ;;
    serve) ;;
    send|tail|'log index'|'log copy') _banter_offer < <(_banter_rooms) ;;
    'log check') ;;
    *) return ;;
  esac
  local -a files
  mapfile -t files < <(compgen -f -X '!*.jsonl' -- "$word"; compgen -d -- "$word")
  COMPREPLY+=("${files[@]}")
}
complete -F _banter banter
