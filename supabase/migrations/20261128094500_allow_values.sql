-- Subject: runs
set check_function_bodies = off;

-- Values that a person answered for at questions which were asked only because of where values came from. approved: always approved as
-- they were; changed: edited or rejected at least once; allowed: not asked about any more.
create table public.studio_allowed_values (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  node_id text not null check (char_length(node_id) between 1 and 200),
  tool_name text not null check (char_length(tool_name) between 1 and 64),
  -- A hash of what the tool says of itself.
  definition text not null check (definition ~ '^[0-9a-f]{64}$'),
  -- Names of arguments and members on the way to the value; null for any place in a list.
  path jsonb not null check (jsonb_typeof(path) = 'array' and octet_length(path::text) <= 1200),
  value text not null check (char_length(value) between 1 and 200),
  state text not null check (state in ('approved', 'changed', 'allowed')),
  approvals integer not null default 0,
  answered_at timestamptz not null default now(),
  unique (owner, workflow_id, node_id, tool_name, definition, path, value),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_allowed_values_of_workflow on public.studio_allowed_values (workflow_id, owner);

select private.studio_grant_rows('public.studio_allowed_values', 'select, delete');
select private.studio_count_table('public.studio_allowed_values', 'rows', 'octet_length(item.value)');

-- Has a value of the caller's that was only counted not asked about any more. Raises "value_not_found", "too_many_allowed_values".
create or replace function public.studio_allow_value(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if (select count(*) from public.studio_allowed_values as own where own.owner = caller and own.state = 'allowed') >= 1000 then
    raise exception 'too_many_allowed_values' using errcode = 'PT400';
  end if;
  update public.studio_allowed_values as own set state = 'allowed', answered_at = now()
  where own.id = p_id and own.owner = caller;
  if not found then
    raise exception 'value_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_allow_value(uuid)', 'authenticated', 'service_role');

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
