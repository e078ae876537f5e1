-- What a document costs while it is made of a file that came by an API key, the key has spent.
create or replace function private.studio_count_upload_cost() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_key_spending as spending (key_id, day, usd)
  values (old.upload_key, (now() at time zone 'utc')::date, (new.cost_usd - old.cost_usd)::numeric)
  on conflict (key_id, day) do update set usd = spending.usd + excluded.usd;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_upload_cost()');
