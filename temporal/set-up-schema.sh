#!/bin/sh
# Creates or upgrades the two databases of the Temporal server. Each step does nothing where it was done before.
#
# SQL_HOST, SQL_PORT, SQL_USER and SQL_PLUGIN are read by temporal-sql-tool itself, and so is SQL_PASSWORD, which comes
# from the file that SQL_PASSWORD_FILE names.
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
