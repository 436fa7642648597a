# Completion of paddock for bash 4.4 and newer: source <(paddock completion bash)

# The path of the typed program. The project's own only if a function or alias leads to it: completion must not start a
# folder's program that the user has not called.
_paddock_program() {
  local name=$1 folder=$PWD
  case $name in
    */*) printf '%s\n' "${name/#\~\//$HOME/}" && return ;;
  esac
  type -P "$name" && return
  [[ $(type -t "$name") == @(function|alias) ]] || return 1
  while [[ -n $folder ]]; do
    [[ -x $folder/node_modules/.bin/openapi-paddock ]] && printf '%s\n' "$folder/node_modules/.bin/openapi-paddock" && return
    folder=${folder%/*}
  done
  return 1
}

# A word as the program would receive it: without quotes, the last of which may be open.
_paddock_unquoted() {
  local text=$1 quote='' out='' i character
  for ((i = 0; i < ${#text}; i++)); do
    character=${text:i:1}
    if [[ -z $quote && $character == [\'\"] ]]; then quote=$character
    elif [[ $character == "$quote" ]]; then quote=''
    elif [[ $character == \\ && $quote != \' ]]; then ((++i)) && out+=${text:i:1}
    else out+=$character
    fi
  done
  unquoted=$out
}

_paddock() {
  COMPREPLY=()
  local program
  program=$(_paddock_program "${COMP_WORDS[0]}") || return
  # The shell breaks words at = and :, but the program does not: parts without a space between are one word.
  local rest=${COMP_LINE:0:COMP_POINT} words=() i trimmed word unquoted
  for ((i = 0; i <= COMP_CWORD; i++)); do
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    word=${COMP_WORDS[i]}
    word=${trimmed:0:${#word}}
    if ((i > 1)) && [[ $trimmed == "$rest" && -n $rest ]]; then words[-1]+=$word; else words+=("$word"); fi
    rest=${trimmed:${#word}}
  done
  local typed=()
  for word in "${words[@]:1}"; do
    _paddock_unquoted "$word"
    typed+=("$unquoted")
  done
  local lines
  mapfile -t lines < <("$program" __complete -- "${typed[@]}" 2>/dev/null)
  ((${#lines[@]} == 0)) && return
  if [[ ${lines[0]} == files:* ]]; then
    # With an empty answer the shell completes a file name after its own break.
    compopt -o default -o filenames 2>/dev/null
    return
  fi
  # The shell only replaces the part after its last break.
  local own=${COMP_WORDS[COMP_CWORD]} before candidate
  [[ $own == [=:] ]] && own=''
  before=${words[-1]%"$own"}
  _paddock_unquoted "$before"
  for candidate in "${lines[@]:1}"; do
    candidate=${candidate%%$'\t'*}
    candidate=${candidate#"$unquoted"}
    # Within quotes nothing is escaped.
    [[ $own == [\'\"]* ]] || printf -v candidate '%q' "$candidate"
    COMPREPLY+=("$candidate")
  done
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:/] ]]; then compopt -o nospace 2>/dev/null; fi
}

complete -F _paddock paddock openapi-paddock
