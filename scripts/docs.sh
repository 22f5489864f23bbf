#!/usr/bin/env bash
# docs.sh: builds the documentation as a site in build/site; a broken link is an error.
source "$(dirname "$0")/common.sh"

python=build/docs-venv/bin/python
wanted="$(sha256sum requirements-docs.txt | cut -d' ' -f1)"
if [[ ! -x $python || $(cat build/docs-venv/requirements.sha256 2>/dev/null) != "$wanted" ]]; then
  say "installing MkDocs into build/docs-venv"
  .venv/bin/python -m venv --clear build/docs-venv
  $python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-docs.txt
  printf '%s\n' "$wanted" >build/docs-venv/requirements.sha256
fi
$python scripts/site_source.py build/site-source
build/release/footfall help --format markdown >build/site-source/command-line.md
NO_MKDOCS_2_WARNING=1 $python -m mkdocs build --clean >build/docs.log 2>&1 || {
  grep -E 'WARNING|ERROR|Abort' build/docs.log >&2
  fail "the documentation could not be built"
}
say "build/site/index.html: $(find build/site -name '*.html' | wc -l) pages"
