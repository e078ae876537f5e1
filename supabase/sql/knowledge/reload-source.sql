-- Has a source of the caller loaded now: whether there is one. p_accept: what embedding its pages costs is accepted from now on.
create or replace function public.studio_reload_source(p_id uuid, p_accept boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_knowledge_sources as own
  set accepted = own.accepted or p_accept,
    state = case when own.state = 'asking' then 'idle' else own.state end,
    due_at = case when own.state = 'running' then own.due_at else now() end
  where own.id = p_id and own.owner = caller;
  return found;
end;
$$;

select private.studio_grant_calls('public.studio_reload_source(uuid, boolean)', 'authenticated', 'service_role');
