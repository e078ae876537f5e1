-- Tells whoever an owner's publications tell of failures, each once for each p_key.
create or replace function private.studio_tell_owner(p_owner uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  told record;
begin
  for told in
    select distinct on (own.on_failure) own.workflow_id from public.studio_publications as own
    where own.owner = p_owner and own.on_failure is not null
    order by own.on_failure, own.workflow_id
  loop
    perform private.studio_tell_failure(told.workflow_id, p_key, p_what);
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_tell_owner(uuid, text, jsonb)');
