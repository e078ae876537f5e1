-- The collector of the caller's publication: { url, headerNames, content, sentAt, problem, waiting }; null where there is none.
create or replace function public.studio_collector(p_workflow_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select jsonb_build_object(
      'url', collectors.url, 'content', collectors.content, 'sentAt', collectors.sent_at, 'problem', collectors.problem,
      'headerNames', (
        select coalesce(jsonb_agg(names.name order by names.name), '[]'::jsonb)
        from jsonb_object_keys(collectors.headers) as names(name)
      ),
      'waiting', (
        select count(*) from private.studio_trace_exports as exports where exports.workflow_id = own.workflow_id
      ))
    from public.studio_publications as own
    join private.studio_collectors as collectors on collectors.workflow_id = own.workflow_id
    where own.workflow_id = p_workflow_id and own.owner = caller
  );
end;
$$;

select private.studio_grant_calls('public.studio_collector(uuid)', 'authenticated', 'service_role');
