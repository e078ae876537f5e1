-- Tells the owner of a publication that four fifths of something are used up: by its notice and as failures are told. p_key says
-- of what, each of which is told once.
create or replace function private.studio_tell_near(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_near_told (workflow_id, key) values (p_workflow_id, p_key) on conflict do nothing;
  if not found then
    return;
  end if;
  delete from private.studio_near_told as old
  where old.workflow_id = p_workflow_id and old.at < now() - interval '40 days';
  update public.studio_publications as own set
    share_notice = jsonb_build_object(
      'text', p_what -> 'message', 'at', round(extract(epoch from clock_timestamp()) * 1000))
  where own.workflow_id = p_workflow_id;
  perform private.studio_tell_failure(p_workflow_id, p_key, p_what);
end;
$$;

select private.studio_grant_calls('private.studio_tell_near(uuid, text, jsonb)');
