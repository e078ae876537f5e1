create or replace function public.studio_prune_conversations_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform public.studio_prune_conversations();
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_conversations_on_start()', 'service_role');
