create or replace function public.studio_count_suite_revision() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  new.revision := old.revision + 1;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_count_suite_revision()', 'service_role');
