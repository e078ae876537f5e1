-- Says whether any account may accept prices of models; only the service role may say so.
create or replace function public.studio_open_prices(p_anybody boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_prices (anybody) values (p_anybody)
  on conflict (only_row) do update set anybody = excluded.anybody;
$$;

select private.studio_grant_calls('public.studio_open_prices(boolean)', 'service_role');
