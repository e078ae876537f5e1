-- As private.studio_model_prices, and whether the caller may accept prices: { …, mayAccept }.
create or replace function public.studio_read_prices(p_known integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.studio_model_prices(p_known) || jsonb_build_object(
    'mayAccept', auth.uid() is null or coalesce((select prices.anybody from private.studio_prices as prices), false));
$$;

select private.studio_grant_calls('public.studio_read_prices(integer)', 'authenticated', 'service_role');
