create or replace function public.studio_stamp_workflow() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.revision := 1;
    new.created_at := now();
    new.updated_at := now();
  elsif new.name is distinct from old.name or new.document is distinct from old.document then
    -- The database counts, so that no client can skip or reuse a revision.
    new.revision := old.revision + 1;
    new.updated_at := now();
  else
    new.revision := old.revision;
    new.updated_at := old.updated_at;
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('public.studio_stamp_workflow()', 'service_role');
