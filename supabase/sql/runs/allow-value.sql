-- Has a value of the caller's that was only counted not asked about any more. Raises "value_not_found", "too_many_allowed_values".
create or replace function public.studio_allow_value(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if (select count(*) from public.studio_allowed_values as own where own.owner = caller and own.state = 'allowed') >= 1000 then
    raise exception 'too_many_allowed_values' using errcode = 'PT400';
  end if;
  update public.studio_allowed_values as own set state = 'allowed', answered_at = now()
  where own.id = p_id and own.owner = caller;
  if not found then
    raise exception 'value_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_allow_value(uuid)', 'authenticated', 'service_role');
