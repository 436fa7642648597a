#compdef paddock openapi-paddock
# Completion of paddock for zsh: source <(paddock completion zsh), after compinit; or as the file _paddock in $fpath

# The path of the typed program. The project's own only if a function or alias leads to it: completion must not start a
# folder's program that the user has not called.
_paddock_program() {
  local name=$1 folder=$PWD
  case $name in
    */*) print -r -- ${name/#\~\//$HOME/} && return ;;
  esac
  whence -p -- $name && return
  (( $+functions[$name] || $+aliases[$name] )) || return 1
  while [[ -n $folder ]]; do
    [[ -x $folder/node_modules/.bin/openapi-paddock ]] && print -r -- $folder/node_modules/.bin/openapi-paddock && return
    folder=${folder%/*}
  done
  return 1
}

_paddock() {
  local program line word
  local -a lines names shown
  program=$(_paddock_program $words[1]) || return 1
  lines=("${(@f)$($program __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $lines[1] == files:* ]]; then
    compset -P "${(b)${lines[1]#files:}}"
    _files
    return
  fi
  for line in "${(@)lines[2,-1]}"; do
    word=${line%%$'\t'*}
    names+=("$word")
    shown+=("$word${${line#$word$'\t'}:+  -- ${line#$word$'\t'}}")
  done
  (( ${#names} == 0 )) && return 1
  # A word with such an end continues.
  if [[ ${#names} -eq 1 && $names[1] == *[=:/] ]]; then
    compadd -S '' -l -d shown -a names
  else
    compadd -l -d shown -a names
  fi
}

if [[ ${funcstack[1]} == _paddock ]]; then _paddock "$@"; else compdef _paddock paddock openapi-paddock; fi
