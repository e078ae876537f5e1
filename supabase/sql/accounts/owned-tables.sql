-- The tables with rows of accounts, those first on which no other hangs, and how their rows of one account ($1) are found: by an
-- index on the owner, or by way of the rows that they hang on. Tables for which there is neither go with those. A partitioned table
-- stands for its partitions, each of which is one of them.
create or replace function private.studio_owned_tables() returns table (name text, condition text)
language sql stable set search_path = ''
as $$
  with recursive tables as (
    select classes.oid, format('%I.%I', spaces.nspname, classes.relname) as name,
      (select columns.attnum from pg_catalog.pg_attribute as columns
       where columns.attrelid = classes.oid and columns.attname = 'owner' and not columns.attisdropped) as owner_column
    from pg_catalog.pg_class as classes
    join pg_catalog.pg_namespace as spaces on spaces.oid = classes.relnamespace
    where spaces.nspname in ('public', 'private') and classes.relkind = 'r'
      and classes.oid <> 'private.studio_deletions'::regclass
  ), by_owner as (
    select tables.oid from tables
    where exists (
      select from pg_catalog.pg_index as indexes
      where indexes.indrelid = tables.oid and indexes.indisvalid and indexes.indpred is null
        and indexes.indkey[0] = tables.owner_column
    )
  ), parents as (
    select distinct keys.conrelid as child, keys.confrelid as parent, keys.conkey[1] as child_column,
      keys.confkey[1] as parent_column
    from pg_catalog.pg_constraint as keys
    where keys.contype = 'f' and keys.confdeltype = 'c' and keys.conrelid <> keys.confrelid
  ), found as (
    select tables.oid, tables.name, 'own.owner = $1' as condition
    from tables where tables.oid in (select by_owner.oid from by_owner)
    union all
    select * from (
      select distinct on (tables.oid) tables.oid, tables.name,
        format('own.%I = any (array(select parent.%I from %s as parent where parent.owner = $1))',
          child_columns.attname, parent_columns.attname, parent_tables.name)
      from tables
      join parents on parents.child = tables.oid
      join tables as parent_tables on parent_tables.oid = parents.parent
      join pg_catalog.pg_attribute as child_columns
        on child_columns.attrelid = parents.child and child_columns.attnum = parents.child_column
      join pg_catalog.pg_attribute as parent_columns
        on parent_columns.attrelid = parents.parent and parent_columns.attnum = parents.parent_column
      where tables.oid not in (select by_owner.oid from by_owner)
        and parents.parent in (select by_owner.oid from by_owner)
      order by tables.oid, parent_tables.name
    ) as by_parent
  ), depths as (
    select tables.oid, 0 as depth from tables
    union
    select keys.conrelid, depths.depth + 1
    from depths join pg_catalog.pg_constraint as keys on keys.confrelid = depths.oid
    where keys.contype = 'f' and keys.conrelid <> keys.confrelid and depths.depth < 20
  )
  select found.name, found.condition
  from found
  -- Conversations count their messages, and need not while both go.
  order by (select max(depths.depth) from depths where depths.oid = found.oid) desc,
    found.name <> 'public.studio_memory_conversations', found.name;
$$;

select private.studio_grant_calls('private.studio_owned_tables()');
