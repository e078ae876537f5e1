-- What a picture of each of the caller's workflows needs: the document without configs, but for where groups and notes stand.
-- At most 100.
create or replace function public.studio_workflow_outlines(p_ids uuid[]) returns table (id uuid, document jsonb)
language sql stable security invoker set search_path = ''
as $$
  select workflows.id,
    case
      when jsonb_typeof(workflows.document -> 'nodes') = 'object' then (workflows.document - 'nodes') || jsonb_build_object(
        'nodes', (
          select coalesce(jsonb_object_agg(nodes.key, case
            when jsonb_typeof(nodes.value -> 'config') = 'object' then nodes.value || jsonb_build_object(
              'config', jsonb_strip_nulls(jsonb_build_object(
                'width', nodes.value #> '{config,width}', 'height', nodes.value #> '{config,height}',
                'folded', nodes.value #> '{config,folded}', 'members', nodes.value #> '{config,members}')))
            else nodes.value
          end), '{}'::jsonb)
          from jsonb_each(workflows.document -> 'nodes') as nodes
        ))
      else workflows.document
    end
  from public.studio_workflows as workflows
  where workflows.owner = (select auth.uid()) and workflows.id = any (p_ids[1:100]);
$$;

select private.studio_grant_calls('public.studio_workflow_outlines(uuid[])', 'authenticated', 'service_role');
