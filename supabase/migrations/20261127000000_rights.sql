-- Who may touch a table and who may call a function is said by these two, in the migration that makes the table, and in the
-- file of the function.
--
-- Every table belongs to one owner; row level security shows a user their own rows and nothing else. Children name their
-- parent by (id, owner), so that a row can never hang on someone else's parent. What nobody may read through the API, such as
-- secrets and counters, lies in the schema `private`.
create schema if not exists private;
revoke all on schema private from public, anon, authenticated;

-- The one place that says who may touch the rows of a table. In `public`, signed-in users may do what p_verbs lists (of select,
-- insert, delete) and change the columns in p_update, each with their own rows only; in `private` nobody but functions may.
-- A verb with rules of its own has its policy, named <table>_<verb>, before this is called.
create or replace function private.studio_grant_rows(p_table regclass, p_verbs text default '', p_update text default '')
returns void language plpgsql set search_path = ''
as $$
declare
  table_schema text;
  table_name text;
  sequence regclass;
  verb text;
  own constant text := '(owner = (select auth.uid()))';
begin
  select namespaces.nspname, classes.relname into table_schema, table_name
  from pg_catalog.pg_class as classes join pg_catalog.pg_namespace as namespaces on namespaces.oid = classes.relnamespace
  where classes.oid = p_table;
  execute format('alter table %s enable row level security', p_table);
  execute format('revoke all on table %s from public, anon, authenticated, service_role', p_table);
  if table_schema <> 'public' then
    return;
  end if;
  execute format('grant all on table %s to service_role', p_table);
  -- A sequence shows how much everybody writes, and would let its user skip numbers.
  for sequence in
    select depends.objid::pg_catalog.regclass from pg_catalog.pg_depend as depends
    join pg_catalog.pg_class as classes on classes.oid = depends.objid and classes.relkind = 'S'
    where depends.refobjid = p_table and depends.deptype in ('a', 'i')
  loop
    execute format('revoke all on sequence %s from public, anon, authenticated', sequence);
  end loop;
  if p_verbs <> '' then
    execute format('grant %s on table %s to authenticated', p_verbs, p_table);
  end if;
  if p_update <> '' then
    execute format('grant update (%s) on table %s to authenticated', p_update, p_table);
  end if;
  foreach verb in array string_to_array(p_verbs || case when p_update <> '' then ', update' else '' end, ', ') loop
    continue when exists (
      select from pg_catalog.pg_policy where polrelid = p_table and polname = table_name || '_' || verb);
    execute format('create policy %I on %s for %s to authenticated %s', table_name || '_' || verb, p_table, verb,
      case verb
        when 'insert' then 'with check ' || own
        when 'update' then 'using ' || own || ' with check ' || own
        else 'using ' || own
      end);
  end loop;
end;
$$;

-- The one place that says who may call a function: the roles that are named, and nobody else.
create or replace function private.studio_grant_calls(p_function regprocedure, variadic p_roles text[] default '{}')
returns void language plpgsql set search_path = ''
as $$
declare
  role_name text;
begin
  execute format('revoke all on function %s from public, anon, authenticated, service_role', p_function);
  foreach role_name in array p_roles loop
    execute format('grant execute on function %s to %I', p_function, role_name);
  end loop;
end;
$$;
select private.studio_grant_calls('private.studio_grant_calls(regprocedure, text[])');
select private.studio_grant_calls('private.studio_grant_rows(regclass, text, text)');
