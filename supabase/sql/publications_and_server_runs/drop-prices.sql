-- Has all runs from now on priced by what each version of the studio knows itself: what was accepted is taken back. Only for those who
-- may accept prices, else "not_operator".
create or replace function public.studio_drop_prices() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null and not coalesce((select prices.anybody from private.studio_prices as prices), false) then
    raise exception 'not_operator' using errcode = '42501';
  end if;
  update private.studio_prices set models = '{}', source = '', revision = revision + 1, accepted_at = null
  where accepted_at is not null;
end;
$$;

select private.studio_grant_calls('public.studio_drop_prices()', 'authenticated', 'service_role');
