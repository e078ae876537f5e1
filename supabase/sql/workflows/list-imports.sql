-- Imported workflows, the newest first. p_open is `placeholder`, `needsCredential`, `approximated` or `any` for those where
-- that is still to do, `none` for those with nothing left, null for all. A search looks into names.
create or replace function public.studio_list_imports(p_search text, p_open text, p_after jsonb, p_limit integer)
returns table (id uuid, name text, created_at timestamptz, import_state jsonb, total bigint, place jsonb)
language sql stable security invoker set search_path = ''
as $$
  with imported as (
    select workflows.id, workflows.name, workflows.created_at, workflows.import_state,
      (workflows.import_state ->> 'placeholder')::integer as placeholder,
      (workflows.import_state ->> 'needsCredential')::integer as credential,
      (workflows.import_state ->> 'approximated')::integer as approximated
    from public.studio_workflows as workflows
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null and workflows.import_state is not null
      and public.studio_fold(workflows.name) like all ((select public.studio_search_patterns(p_search))::text[])
  ), fitting as materialized (
    select * from imported
    where case p_open
      when 'placeholder' then imported.placeholder > 0
      when 'needsCredential' then imported.credential > 0
      when 'approximated' then imported.approximated > 0
      when 'any' then imported.placeholder + imported.credential + imported.approximated > 0
      when 'none' then imported.placeholder + imported.credential + imported.approximated = 0
      else true
    end
  )
  select fitting.id, fitting.name, fitting.created_at, fitting.import_state, (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'moment', fitting.created_at)
  from fitting
  where p_after is null
    or (fitting.created_at, fitting.id) < ((p_after ->> 'moment')::timestamptz, (p_after ->> 'id')::uuid)
  order by fitting.created_at desc, fitting.id desc
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_imports(text, text, jsonb, integer)', 'authenticated', 'service_role');
