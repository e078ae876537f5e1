-- Takes a message as studio_chat_start does, within the shares of its senders: also { problem: 'share', … } as above. Tells the
-- owner when four fifths of the page's day are used.
-- p_files: what goes with it; { problem: 'no_file' } where the subject did not send one of them to this page.
create or replace function public.studio_chat_begin(
  p_workflow_id uuid, p_subject text, p_thread_id uuid, p_key text, p_input jsonb, p_session_prefix text, p_per_day integer,
  p_senders jsonb, p_bytes bigint, p_files uuid[] default '{}'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  of_owner uuid;
  problem jsonb;
  started jsonb;
  taken integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if exists (
    select from unnest(p_files) as sent (file) where not exists (
      select from private.studio_chat_uploads as uploads
      where uploads.file = sent.file and uploads.workflow_id = p_workflow_id and uploads.subject = p_subject)
  ) then
    return jsonb_build_object('problem', 'no_file');
  end if;
  begin
    if of_owner is not null and not exists (
      select 1 from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key
    ) then
      problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes);
      if problem is not null then
        return problem;
      end if;
    end if;
    started := public.studio_chat_start(
      p_workflow_id, p_subject, p_thread_id, p_key, p_input, p_session_prefix, p_per_day);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  if (started ->> 'isNew')::boolean then
    select days.messages into taken from private.studio_chat_days as days
    where days.workflow_id = p_workflow_id and days.day = today;
    if taken >= 0.8 * p_per_day and taken - 1 < 0.8 * p_per_day then
      perform private.studio_tell_near(p_workflow_id, 'chat day ' || today, jsonb_build_object(
        'kind', 'share-near', 'message', 'Visitors have sent four fifths of the messages that the chat page takes in a day.',
        'sender', 'all', 'messages', taken, 'of', p_per_day));
    end if;
  end if;
  perform private.studio_give_files((started ->> 'runId')::uuid, of_owner, p_files);
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

select private.studio_grant_calls('public.studio_chat_begin(uuid, text, uuid, text, jsonb, text, integer, jsonb, bigint, uuid[])', 'service_role');
