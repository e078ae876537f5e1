create or replace function public.studio_touch_updated_at() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_touch_updated_at()', 'service_role');
