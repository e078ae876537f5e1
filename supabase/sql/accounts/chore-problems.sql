-- What could not be done for the caller, and is tried again: { chore, problem, since, failures }.
create or replace function public.studio_chore_problems() returns table (chore text, problem text, since timestamptz, failures integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select problems.chore, problems.problem, problems.since, problems.failures
    from private.studio_chore_problems as problems
    -- One whose cause has gone with its data is tried no more.
    where problems.owner = caller and problems.last_at > now() - interval '1 day'
    order by problems.chore;
end;
$$;

select private.studio_grant_calls('public.studio_chore_problems()', 'authenticated', 'service_role');
