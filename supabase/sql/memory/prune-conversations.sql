-- Deletes the caller's conversations that nobody has written to for as many days as the setting "conversation-retention"
-- says, none where nothing was chosen, and gives how many there were: at most 200, the oldest, since a run that starts waits
-- for it. A scratchpad or a summary goes with its conversation and not before it.
create or replace function public.studio_prune_conversations() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  keep_days integer;
  oldest timestamptz;
  old record;
  pruned integer := 0;
begin
  select (settings.value ->> 'keepDays')::integer into keep_days from public.studio_settings as settings
  where settings.owner = caller and settings.name = 'conversation-retention';
  if keep_days is null then
    return 0;
  end if;
  oldest := now() - make_interval(days => keep_days);
  if not exists (
    select 1 from public.studio_memory_conversations as kept
    where kept.owner = caller and kept.last_written_at < oldest
  ) then
    return 0;
  end if;
  for old in
    select together.workflow_id, together.session_id
    from (
      select kept.workflow_id, kept.session_id, max(kept.last_written_at) over (
        partition by kept.workflow_id, regexp_replace(kept.session_id, '(.):(scratchpad|summary)$', '\1')
      ) as latest
      from public.studio_memory_conversations as kept
      where kept.owner = caller
    ) as together
    where together.latest < oldest
    order by together.latest limit 200
  loop
    perform public.studio_prune_memory(old.workflow_id, old.session_id, 0);
    pruned := pruned + 1;
  end loop;
  return pruned;
end;
$$;

select private.studio_grant_calls('public.studio_prune_conversations()', 'authenticated', 'service_role');
