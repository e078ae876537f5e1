-- Every start of a run in a browser clears what is over, whichever client writes it. Where runs are started on workers, these do it by
-- the clock: a start costs the same however many runs wait.
create or replace function public.studio_prune_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and exists (select from added where added.source = 'editor') then
    perform public.studio_prune_runs();
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_on_start()', 'service_role');
