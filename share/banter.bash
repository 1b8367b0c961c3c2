# Completion of banter for bash.
_banter() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local rooms=${XDG_DATA_HOME:-$HOME/.local/share}/banter/rooms
  case $previous in
    --style) mapfile -t COMPREPLY < <(compgen -W 'bubble compact plain' -- "$word"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word"); return ;;
    --as|--profile-id|--tail|-n|--lines) return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '--as --profile-id --style --color --tail --no-log
      --lines --follow --json --help --version' -- "$word")
    return
  fi
  local names=
  ((COMP_CWORD == 1)) && names='send tail log'
  for room in "$rooms"/*.jsonl; do
    [[ -e $room ]] && names+=" $(basename "$room" .jsonl)"
  done
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word"; compgen -f -X '!*.jsonl' -- "$word")
}
complete -o filenames -F _banter banter
