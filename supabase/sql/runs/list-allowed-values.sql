-- What the caller allowed, and what he has approved three times or more and never changed, which could be allowed; the newest first:
-- [{ id, workflowId, workflowName, toolName, path, value, isAllowed, approvals }].
create or replace function public.studio_list_allowed_values() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', own.id, 'workflowId', own.workflow_id, 'workflowName', workflows.name, 'toolName', own.tool_name, 'path', own.path,
      'value', own.value, 'isAllowed', own.state = 'allowed', 'approvals', own.approvals
    ) order by own.answered_at desc, own.id), '[]'::jsonb)
    from public.studio_allowed_values as own
    join public.studio_workflows as workflows on workflows.id = own.workflow_id
    where own.owner = caller and workflows.deleted_at is null
      and (own.state = 'allowed' or (own.state = 'approved' and own.approvals >= 3)));
end;
$$;

select private.studio_grant_calls('public.studio_list_allowed_values()', 'authenticated', 'service_role');
