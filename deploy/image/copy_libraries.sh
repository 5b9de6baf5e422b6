#!/bin/sh
# Copies the shared libraries of Node and of native packages from the packages of a Debian image into the
# file tree $1.
set -eu
root=$1

libraries=$(
  { echo "$root/usr/bin/node"; find "$root/opt/postern/node_modules" -name '*.node'; } |
    xargs -n 1 ldd | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/lib[^ ]*ld-[^ ]*\) .*/\1/p' | sort -u
)
test -n "$libraries"
for library in $libraries; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
  # dpkg has a library under its path below /usr, or under the path from before /usr was merged.
  package=$(dpkg-query -S "$library" "$(realpath "$library")" "$(realpath "$library" | sed 's/^\/usr//')" 2>/dev/null |
    sed -n '1s/:.*//p')
  test -n "$package"
  dpkg-query -s "$package" > "$root/var/lib/dpkg/status.d/$package"
done
