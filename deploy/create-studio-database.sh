#!/bin/sh
# Runs once, when the PostgreSQL of compose.yaml is new: the roles and the database that docs/postgres.md names.
set -eu
psql -v ON_ERROR_STOP=1 -v studio="$STUDIO_DATABASE_PASSWORD" -v worker="$WORKER_DATABASE_PASSWORD" \
  -v functions="$FUNCTIONS_DATABASE_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role studio login password :'studio';
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role studio_worker login noinherit password :'worker';
create role studio_functions login noinherit password :'functions';
grant anon, authenticated, service_role to studio;
grant authenticated, service_role to studio_functions;
create database studio owner studio encoding 'UTF8' locale 'C.UTF-8' template template0;
\connect studio
create schema extensions authorization studio;
create extension vector with schema extensions;
SQL
