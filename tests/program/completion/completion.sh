#!/usr/bin/env bash
# What a shell completes with the script of `assay completion`: completion.sh ASSAY
set -euo pipefail
PATH=$(dirname "$1"):$PATH
eval "$(assay completion bash)"

# expect ANSWER WORD...: what is offered for the last of the words.
expect() {
  local answer=$1; shift
  COMP_WORDS=(assay "$@") COMP_CWORD=$#
  _assay || true  # compgen fails where it has no answer
  [ "${COMPREPLY[*]}" = "$answer" ] || { echo "assay $*: '${COMPREPLY[*]}' is offered, expected '$answer'"; exit 1; }
}
expect "run" ru
expect "record" rec
expect "--reports" run --repo
expect "--until-decided" study config.toml --until
expect "run_summary" describe run_s
expect "gpu.busy_ratio" compare old new --metric gpu.busy_r
expect "cuda_gpu_kern_sum" stats p.sqlite --report cuda_gpu_kern_s
expect "bash zsh fish" completion ""
expect "" run ""          # files
expect "" no_command --x

# Every command that the help lists, and no other.
COMP_WORDS=(assay "") COMP_CWORD=1
_assay || true
listed=$(assay --help | sed -n '/^Look at profiles:/,/^Examples:/p' | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort)
[ "$(wc -w <<<"$listed")" -ge 15 ] || { echo "the help lists only: $listed"; exit 1; }
[ "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" = "$listed" ] || { echo "offered: ${COMPREPLY[*]}; listed: $listed"; exit 1; }

if command -v zsh >/dev/null; then zsh -fc "PATH=$PATH"';autoload -U compinit; compinit -u -D; eval "$(assay completion zsh)"; [ -n "${_comps[assay]}" ]'; fi
if command -v fish >/dev/null; then
  offered=$(fish -c 'assay completion fish | source; complete -C "assay describe run_s"')
  [ "$offered" = run_summary ] || { echo "fish offers '$offered'"; exit 1; }
fi
