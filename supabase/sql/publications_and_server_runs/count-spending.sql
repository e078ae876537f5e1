-- Adds to what a workflow and a key have spent today (UTC). Those that are gone have no spending.
create or replace function private.studio_count_spending(p_workflow_id uuid, p_api_key_id uuid, p_usd numeric) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  insert into private.studio_spending as spending (workflow_id, day, usd)
  select workflows.id, today, p_usd from public.studio_workflows as workflows where workflows.id = p_workflow_id
  on conflict (workflow_id, day) do update set usd = spending.usd + excluded.usd;
  if p_api_key_id is not null then
    insert into private.studio_key_spending as spending (key_id, day, usd)
    select keys.id, today, p_usd from public.studio_api_keys as keys where keys.id = p_api_key_id
    on conflict (key_id, day) do update set usd = spending.usd + excluded.usd;
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_count_spending(uuid, uuid, numeric)');
