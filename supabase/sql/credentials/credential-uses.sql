-- Which workflows name these credentials in their nodes: of each credential the ten edited last, and how many there are.
create or replace function public.studio_credential_uses(p_credentials uuid[])
returns table (credential_id uuid, workflow_id uuid, workflow_name text, total bigint)
language sql stable security invoker set search_path = ''
as $$
  with used as (
    select distinct named.credential_id, workflows.id, workflows.name, workflows.updated_at
    from public.studio_workflows as workflows
    cross join lateral jsonb_path_query(workflows.document, 'lax $.nodes.*.config.credential') as found
    join unnest(p_credentials) as named (credential_id) on named.credential_id::text = found #>> '{}'
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
  ), placed as (
    select used.*, row_number() over (partition by used.credential_id order by used.updated_at desc, used.id) as place,
      count(*) over (partition by used.credential_id) as total
    from used
  )
  select placed.credential_id, placed.id, placed.name, placed.total
  from placed
  where placed.place <= 10
  order by placed.credential_id, placed.place;
$$;

select private.studio_grant_calls('public.studio_credential_uses(uuid[])', 'authenticated', 'service_role');
