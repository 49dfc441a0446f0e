#!/bin/sh
# Writes ops/.env with new secrets unless it exists: Docker Compose reads it at every `up`. If it is lost, so are all keys.
set -eu
umask 077
file="${1:-$(dirname "$0")/.env}"
if [ -e "$file" ]; then
  echo "$file exists and is not changed."
  exit 0
fi
secret() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
# Written to a draft and renamed, so that the file is never incomplete.
draft="$file.$$"
printf 'KEY_PEPPER=%s\nJWT_SECRET=%s\nPOSTGRES_PASSWORD=%s\n' "$(secret 32)" "$(secret 32)" "$(secret 16)" > "$draft"
mv "$draft" "$file"
echo "$file has the secrets. Keep a copy apart from the database, and add the settings, at least NETWORK."
