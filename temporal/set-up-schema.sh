#!/bin/sh
# Creates or upgrades the two databases of the Temporal server. A step that was done before does nothing.
#
# temporal-sql-tool itself reads SQL_HOST, SQL_PORT, SQL_USER, SQL_PLUGIN and SQL_PASSWORD; the password comes from the file
# that SQL_PASSWORD_FILE names.
set -eu

SQL_PASSWORD=$(cat "$SQL_PASSWORD_FILE")
export SQL_PASSWORD

set_up() {
  temporal-sql-tool --database "$1" create
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

set_up temporal temporal
set_up temporal_visibility visibility
