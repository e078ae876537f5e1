-- A limit in money that is new holds for every model; a version that becomes live is looked at again.
create or replace function private.studio_forget_unknown_prices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.limits ?| array['runUsd', 'dayUsd', 'monthUsd'] and not old.limits ?| array['runUsd', 'dayUsd', 'monthUsd'] then
    update public.studio_published as versions set allows_unknown_prices = false
    where versions.workflow_id = new.workflow_id and versions.allows_unknown_prices;
    new.unknown_prices := null;
  end if;
  if new.live is distinct from old.live then
    new.unknown_prices := null;
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_forget_unknown_prices()');
