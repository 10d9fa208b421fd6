#!/usr/bin/env bash
# The step of action.yml, whose inputs are in the environment. The exit code is that of 'faultline-cli guard'.
set -euo pipefail

if [ -n "${PACKAGE:-}" ]; then
  package=$PACKAGE
  if [[ $package == https://* ]]; then
    package=$(mktemp --suffix .deb)
    curl --fail --silent --show-error --location --output "$package" "$PACKAGE"
  fi
  sudo DEBIAN_FRONTEND=noninteractive apt-get install --yes "$(readlink -f "$package")"
fi
command -v faultline-cli >/dev/null || {
  echo "::error title=Faultline::faultline-cli is not installed. Name a package with the input 'package'."
  exit 1
}

eval "words=($COMMAND)"
guard=(faultline-cli guard --baseline "$BASELINE" --runs "$RUNS" --command-name "$COMMAND")
if [ "$SAVE" = true ] || [ ! -e "$BASELINE" ]; then
  "${guard[@]}" --save -- "${words[@]}"
  echo "::notice title=Faultline::$BASELINE was made by this run, which judges nothing. Keep the file for the next one."
  exit
fi

report=$(mktemp)
code=0
"${guard[@]}" --fail-over "$FAIL_OVER" --format github --markdown "$report" -- "${words[@]}" || code=$?
cat "$report" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
# A comment that is refused, as on the pull request of a fork, leaves the verdict as it is.
if [ "${COMMENT:-}" = true ] && [ -n "${PULL_REQUEST:-}" ] && [ -s "$report" ]; then
  gh pr comment "$PULL_REQUEST" --body-file "$report" ||
    echo "::notice title=Faultline::The pull request could not be commented on; the report is in the job's summary."
fi
exit $code
