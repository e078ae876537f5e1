-- The tags of the caller's workflows, and how many have each.
create or replace function public.studio_workflow_tags() returns table (tag text, workflows bigint)
language sql stable security invoker set search_path = ''
as $$
  select used.tag, count(*)
  from public.studio_workflows as workflows, unnest(workflows.tags) as used (tag)
  where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
  group by used.tag
  order by public.studio_sort_key(used.tag) collate "C"
  limit 200;
$$;

select private.studio_grant_calls('public.studio_workflow_tags()', 'authenticated', 'service_role');
