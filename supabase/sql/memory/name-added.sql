create or replace function private.studio_name_added() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  place record;
  conversation record;
begin
  for place in select distinct added.owner, added.workflow_id, added.session_id from added loop
    -- Two branches, since `is not distinct from` is found by no index.
    if place.workflow_id is null then
      update public.studio_memory_conversations as kept set last_written_at = now()
      where kept.owner = place.owner and kept.workflow_id is null and kept.session_id = place.session_id
      returning kept.id, kept.title, kept.sealed_title into conversation;
    else
      update public.studio_memory_conversations as kept set last_written_at = now()
      where kept.owner = place.owner and kept.workflow_id = place.workflow_id and kept.session_id = place.session_id
      returning kept.id, kept.title, kept.sealed_title into conversation;
    end if;
    if conversation.title is null and conversation.sealed_title is null then
      perform private.studio_name_conversation(conversation.id);
    end if;
  end loop;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_name_added()');
