-- Workflows: p_order is `edited` (the latest edit first), `created` (the newest first) or `name`. With p_trash those that were
-- deleted, the latest first. A search also looks into descriptions; all of p_tags have to fit. `last_run` is { id, status,
-- ending, startedAt }, null where nothing ever ran. With p_own the assistant's own workflow, which the studio makes by itself,
-- is left out.
create or replace function public.studio_list_workflows(
  p_search text, p_order text, p_after jsonb, p_limit integer, p_tags text[] default '{}', p_trash boolean default false,
  p_own boolean default false
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
      and not (p_own and workflows.name = 'Assistant'
        and jsonb_path_exists(workflows.document, '$.nodes.*.type ? (@ == "studio-tools")'))
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

select private.studio_grant_calls('public.studio_list_workflows(text, text, jsonb, integer, text[], boolean, boolean)', 'authenticated', 'service_role');
