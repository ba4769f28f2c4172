#!/bin/sh
# Asks a live server thousands of generated questions, right and wrong, and compares what comes back with openapi.json: no
# status of 500 or more, none that the document does not name, no answer that does not fit its schema. Needs python3 and, the
# first time, a package index. Whatever is given goes to schemathesis:
#
#   workbench/command/src/test/scripts/schemathesis.sh --max-examples 200
set -eu
root=$(cd "$(dirname "$0")/../../../../.." && pwd)
work=${TMPDIR:-/tmp}/hocket-schemathesis.$$
tools=$root/workbench/command/target/schemathesis
mkdir -p "$work"
if [ ! -x "$tools/bin/schemathesis" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet 'schemathesis>=4,<5'
fi

HOCKET=${HOCKET:-$root/hocket}
$HOCKET run gaussian-ring --serve 0 --out "$work/ring" --set rounds=1000000000 >"$work/out" 2>&1 &
run=$!
trap 'kill "$run" 2>/dev/null || true; wait "$run" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM

page=
for second in $(seq 300); do
  page=$(sed -n 's/^page  *//p' "$work/out")
  [ -n "$page" ] && break
  kill -0 "$run" || { cat "$work/out"; exit 1; }
  sleep 1
done
address=${page%%/#*}
token=${page##*#token=}

# Without the commands that would end the run, or make others: they are in OpenApiTest. Rows are in OnlineRunTest: this run takes none.
"$tools/bin/python" - "$address" "$work" <<'END'
import json, sys, urllib.request
address, work = sys.argv[1:]
with urllib.request.urlopen(address + "/openapi.json") as answer:
    document = json.load(answer)
kept = [one for one in document["components"]["schemas"]["Command"]["oneOf"] if one["$ref"].split("/")[-1] not in ("Stop", "Fork")]
document["components"]["schemas"]["Command"]["oneOf"] = kept
infer = document["paths"]["/api/runs/{run}/infer/{program}"]["post"]
infer["parameters"][1]["schema"] = {"enum": ["draw", "generator", "discriminator", "no"]}
del infer["requestBody"]  # which it cannot write: rows are in InferTest
json.dump(document, open(work + "/openapi.json", "w"))
refused = [400, 401, 403, 404, 405, 409, 411, 413, 414, 415, 421, 429, 431]  # 413 among them, which it would not count
open(work + "/schemathesis.toml", "w").write(
    f'[parameters]\n"path.run" = "ring"\n[checks.negative_data_rejection]\nexpected-statuses = {refused}\n')
END
status=0
"$tools/bin/schemathesis" --config-file "$work/schemathesis.toml" run "$work/openapi.json" --url "$address" \
  --header "Authorization: Bearer $token" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance \
  --checks response_schema_conformance,negative_data_rejection,ignored_auth,unsupported_method,allow_header_conformance \
  --phases examples,coverage,fuzzing --exclude-path-regex '/live$|/rows$' --seed 1 "$@" || status=$?
if kill -0 "$run" 2>/dev/null; then
  echo "the run goes on"
else
  status=1
  tail -5 "$work/out"
fi
exit $status
