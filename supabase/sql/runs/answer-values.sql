-- Remembers what the caller answered for values ({ nodeId, toolName, definition, path, value }) of a workflow: 'approved', 'changed' or
-- 'allowed'. A value that was allowed stays so. Raises "too_many_allowed_values" above 1000. What was only counted is kept for 90 days,
-- the newest 1000.
create or replace function public.studio_answer_values(p_workflow_id uuid, p_values jsonb, p_answer text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  delete from public.studio_allowed_values as old
  where old.owner = caller and old.state <> 'allowed' and old.answered_at < now() - interval '90 days';
  insert into public.studio_allowed_values as known
    (owner, workflow_id, node_id, tool_name, definition, path, value, state, approvals)
  select caller, p_workflow_id, given."nodeId", given."toolName", given.definition, given.path, given.value, p_answer,
    case when p_answer = 'changed' then 0 else 1 end
  from (
    select distinct listed.* from jsonb_to_recordset(p_values)
      as listed ("nodeId" text, "toolName" text, definition text, path jsonb, value text)
    order by 1, 2, 3, 4, 5 limit 100
  ) as given
  on conflict (owner, workflow_id, node_id, tool_name, definition, path, value) do update set
    state = case
      when 'allowed' in (known.state, excluded.state) then 'allowed'
      when 'changed' in (known.state, excluded.state) then 'changed'
      else 'approved' end,
    approvals = known.approvals + excluded.approvals,
    answered_at = now();
  if p_answer = 'allowed' and (
    select count(*) from public.studio_allowed_values as own where own.owner = caller and own.state = 'allowed') > 1000 then
    raise exception 'too_many_allowed_values' using errcode = 'PT400';
  end if;
  delete from public.studio_allowed_values as old
  where old.id in (
    select own.id from public.studio_allowed_values as own
    where own.owner = caller and own.state <> 'allowed'
    order by own.answered_at desc offset 1000);
end;
$$;

select private.studio_grant_calls('public.studio_answer_values(uuid, jsonb, text)', 'authenticated', 'service_role');
