#!/usr/bin/env bash
# Makes the HTML page of every report in reports/recorded, into out/recorded-pages or another folder.
#
# Usage: scripts/recorded_pages.sh [FOLDER]
# ITHACA_PROGRAM names the ithaca-report to use; else it is built first.
# Exit codes: those of ithaca-report.
set -euo pipefail
folder="$(realpath --canonicalize-missing "${1:-"$(dirname "${BASH_SOURCE[0]}")/../out/recorded-pages"}")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program="${ITHACA_PROGRAM:-}"
if [[ -z "$program" ]]; then
  scripts/setup.sh
  scripts/build.sh release --target ithaca-report
  program=build/release/reports/ithaca-report
fi

mkdir -p "$folder"
while IFS= read -r report; do
  # reports/recorded/<run>/<part>/report.json.gz, or <run>/<part>.json.gz
  name="${report#reports/recorded/}"
  name="${name%.gz}"
  name="${name%.json}"
  name="${name%/report}"
  "$program" html "$folder/${name//\//-}.html" "$report"
done < <(find reports/recorded -name '*.json*' ! -name 'trace.*' ! -name 'probe.*' | sort)
