-- The first step. Doing it again changes nothing.
create or replace function private.studio_begin_deletion(p_user uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into private.studio_deletions (owner, steps)
  select users.id, (
    select jsonb_agg(jsonb_build_object('name', tables.name, 'condition', tables.condition) order by tables.place)
    from private.studio_owned_tables() with ordinality as tables (name, condition, place)
  )
  from auth.users as users where users.id = p_user
  on conflict do nothing;
  if not found then
    return;
  end if;
  -- The address is free at once, and a password or a link for the old one finds nobody.
  update auth.users as users set
    email = 'deleted-' || users.id || '@deleted.invalid', encrypted_password = '', phone = null, recovery_token = '',
    raw_user_meta_data = '{}', banned_until = now() + interval '100 years', updated_at = now()
  where users.id = p_user;
  delete from auth.identities where user_id = p_user;
  perform private.studio_end_sessions(p_user, null);

  delete from private.studio_api_key_hashes as hashes using public.studio_api_keys as keys
  where keys.owner = p_user and hashes.key_id = keys.id;
  delete from private.studio_credential_secrets as secrets using public.studio_credentials as credentials
  where credentials.owner = p_user and secrets.credential_id = credentials.id;
  delete from public.studio_doors as doors where doors.owner = p_user;
  delete from public.studio_shared_runs as shared where shared.owner = p_user;
  delete from private.studio_chat_sessions as sessions using public.studio_publications as publications
  where publications.owner = p_user and sessions.workflow_id = publications.workflow_id;
  delete from private.studio_chat_sessions as sessions where sessions.subject = 'account ' || p_user;

  -- Nobody is told of runs that end here.
  delete from private.studio_collectors as collectors using public.studio_publications as publications
  where publications.owner = p_user and collectors.workflow_id = publications.workflow_id;
  delete from private.studio_notices as notices where notices.owner = p_user;
  update public.studio_triggers as triggers set enabled = false where triggers.owner = p_user;
  update public.studio_publications as publications set live = null, staging = null, on_failure = null
  where publications.owner = p_user;
  delete from private.studio_run_jobs as jobs where jobs.owner = p_user;
  delete from private.studio_queue_checks as checks where checks.owner = p_user;
  -- Their workers find themselves fenced off at their next word. What is queued or waits is taken up by none.
  update public.studio_runs as runs set
    status = 'cancelled', cancel_requested_at = now(), ended_at = now(), lease_until = null
  where runs.owner = p_user and runs.status = 'running' and runs.source <> 'editor';
end;
$$;

select private.studio_grant_calls('private.studio_begin_deletion(uuid)');
