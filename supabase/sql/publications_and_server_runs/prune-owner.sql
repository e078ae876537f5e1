-- Deletes what an owner keeps no longer, with his own settings, as him. Gives whether something may be left.
create or replace function private.studio_prune_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  pruned integer := 0;
begin
  perform private.studio_limit_waiting();
  -- Alone in its transaction, since it locks tables.
  if private.studio_arrange_run_events() then
    return true;
  end if;
  if not pg_try_advisory_xact_lock(7423005, hashtext(p_owner::text)) then
    return false;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', p_owner::text, true);
  pruned := public.studio_prune_runs();
  if pruned < 50 then
    pruned := public.studio_prune_conversations();
    perform public.studio_prune_trash();
  end if;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  if pruned >= 50 then
    return true;
  end if;
  perform private.studio_prune_files(p_owner);
  delete from public.studio_shared_runs as old where old.owner = p_owner and old.expires_at <= now();
  delete from private.studio_notices as old where old.owner = p_owner and old.created_at < now() - interval '40 days';
  delete from private.studio_chore_problems as old
  where old.owner = p_owner and old.last_at < now() - interval '2 days' and old.chore <> 'retention';
  insert into private.studio_pruned (owner) values (p_owner) on conflict (owner) do update set at = now();
  return false;
end;
$$;

select private.studio_grant_calls('private.studio_prune_owner(uuid)', 'studio_worker');
