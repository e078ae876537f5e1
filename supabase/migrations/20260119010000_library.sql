-- The library: a description and the last run beside each workflow, tags to filter by, and a trash that empties itself.

alter table public.studio_workflows
  add column tags text[] not null default '{}'
    check (cardinality(tags) <= 20 and octet_length(tags::text) <= 2000),
  -- Beside the document, which is large, so that a list need not open it.
  add column description text generated always as (left(document ->> 'description', 500)) stored;

grant update (tags) on table public.studio_workflows to authenticated;

create index studio_workflows_trash on public.studio_workflows (owner, deleted_at desc) where deleted_at is not null;

drop function public.studio_list_workflows(text, text, jsonb, integer);

-- Workflows: p_order is `edited` (the latest edit first), `created` (the newest first) or `name`. With p_trash those that were
-- deleted, the latest first. A search also looks into descriptions; all of p_tags have to fit. `last_run` is { id, status,
-- ending, startedAt }, null where nothing ever ran.
create function public.studio_list_workflows(
  p_search text, p_order text, p_after jsonb, p_limit integer, p_tags text[] default '{}', p_trash boolean default false
) returns table (
  id uuid, name text, revision integer, created_at timestamptz, updated_at timestamptz, deleted_at timestamptz,
  description text, tags text[], last_run jsonb, total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select workflows.id, workflows.name, workflows.revision, workflows.created_at, workflows.updated_at,
      workflows.deleted_at, workflows.description, workflows.tags,
      case
        when p_trash then workflows.deleted_at
        when p_order = 'created' then workflows.created_at
        when p_order = 'edited' then workflows.updated_at
      end as moment,
      case when p_order = 'name' and not p_trash then public.studio_sort_key(workflows.name) end as sort_key
    from public.studio_workflows as workflows
    where workflows.owner = (select auth.uid()) and (workflows.deleted_at is not null) = p_trash
      and workflows.tags @> p_tags
      and public.studio_fold(workflows.name || ' ' || coalesce(workflows.description, ''))
        like all ((select public.studio_search_patterns(p_search))::text[])
  ), page as (
    select * from fitting
    where p_after is null
      or (fitting.moment is not null
        and (fitting.moment, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid))
      or (fitting.moment is null
        and (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid))
    order by fitting.moment desc, fitting.sort_key collate "C", case when fitting.moment is null then fitting.id end,
      fitting.id desc
    limit p_limit
  )
  select page.id, page.name, page.revision, page.created_at, page.updated_at, page.deleted_at, page.description, page.tags,
    last.run, (select count(*) from fitting),
    jsonb_build_object('id', page.id, 'moment', page.moment, 'key', page.sort_key)
  from page
  left join lateral (
    select jsonb_build_object(
      'id', runs.id, 'status', runs.status, 'ending', runs.ending, 'startedAt', runs.started_at
    ) as run
    from public.studio_runs as runs
    where runs.workflow_id = page.id and runs.owner = (select auth.uid())
    order by runs.started_at desc limit 1
  ) as last on true
  order by page.moment desc, page.sort_key collate "C", case when page.moment is null then page.id end, page.id desc;
$$;

-- The tags of the caller's workflows, and how many have each.
create function public.studio_workflow_tags() returns table (tag text, workflows bigint)
language sql stable security invoker set search_path = ''
as $$
  select used.tag, count(*)
  from public.studio_workflows as workflows, unnest(workflows.tags) as used (tag)
  where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
  group by used.tag
  order by public.studio_sort_key(used.tag) collate "C"
  limit 200;
$$;

-- Deletes for good what the caller has left in the trash for 30 days, and gives how many there were.
create function public.studio_prune_trash() returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  pruned integer;
begin
  delete from public.studio_workflows
  where owner = (select auth.uid()) and deleted_at < now() - interval '30 days';
  get diagnostics pruned = row_count;
  return pruned;
end;
$$;

-- As before, with the trash.
create or replace function private.studio_prune_next_owner() returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  next_owner uuid;
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
begin
  select users.id into next_owner
  from auth.users as users
  left join private.studio_pruned as pruned on pruned.owner = users.id
  where pruned.at is null or pruned.at < now() - interval '1 day'
  order by pruned.at nulls first limit 1;
  if next_owner is null then
    return null;
  end if;
  insert into private.studio_pruned (owner) values (next_owner) on conflict (owner) do update set at = now();
  perform set_config('request.jwt.claims', jsonb_build_object('sub', next_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', next_owner::text, true);
  perform public.studio_prune_runs();
  perform public.studio_prune_conversations();
  perform public.studio_prune_trash();
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  return next_owner;
end;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_list_workflows(text, text, jsonb, integer, text[], boolean)', 'studio_workflow_tags()', 'studio_prune_trash()'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
