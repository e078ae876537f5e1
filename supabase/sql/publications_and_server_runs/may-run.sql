-- Whether one more run of this workflow may go on now; none of an account that is being deleted. Starts count by the minute; a
-- run that comes back from a wait does not.
create or replace function private.studio_may_run(
  p_owner uuid, p_workflow_id uuid, p_has_begun boolean, p_most_of_owner integer
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  limits jsonb;
begin
  if exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return false;
  end if;
  if (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor' and busy.lease_until >= now()
  ) >= p_most_of_owner then
    return false;
  end if;
  select publications.limits into limits from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if limits -> 'concurrent' is not null and (
    select count(*) from public.studio_runs as busy
    where busy.workflow_id = p_workflow_id and busy.status = 'running' and busy.source <> 'editor'
      and busy.lease_until >= now()
  ) >= (limits ->> 'concurrent')::numeric then
    return false;
  end if;
  return p_has_begun or limits -> 'perMinute' is null or (
    select count(*) from public.studio_runs as recent
    where recent.workflow_id = p_workflow_id and recent.source <> 'editor' and recent.attempt > 0
      and recent.started_at > now() - interval '1 minute'
  ) < (limits ->> 'perMinute')::numeric;
end;
$$;

select private.studio_grant_calls('private.studio_may_run(uuid, uuid, boolean, integer)');
