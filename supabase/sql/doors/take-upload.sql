-- Counts bytes of files that are about to be stored for a publication among what their senders may send today, before they come:
-- null, or { problem: 'share', … } as studio_door_begin has it, or { problem: 'not_published' }. The message that they go with is
-- counted when it starts a run.
create or replace function public.studio_take_upload(p_workflow_id uuid, p_senders jsonb, p_bytes bigint) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id and publications.live is not null;
  if of_owner is null then
    return jsonb_build_object('problem', 'not_published');
  end if;
  return private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes, 0);
end;
$$;

select private.studio_grant_calls('public.studio_take_upload(uuid, jsonb, bigint)', 'service_role');
