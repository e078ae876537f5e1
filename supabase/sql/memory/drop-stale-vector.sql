-- An edited message means something else; it is found again once it is embedded again.
create or replace function public.studio_drop_stale_vector() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  delete from public.studio_memory_vectors where message_id = new.id;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_drop_stale_vector()', 'service_role');
