-- The accounts of this studio that are not being deleted, the oldest first: for commands of its operator, who holds the
-- service role's key.
create or replace function public.studio_accounts() returns table (id uuid, email text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select users.id, users.email::text, users.created_at from auth.users as users
  where not exists (select from private.studio_deletions as deletions where deletions.owner = users.id)
  order by users.created_at, users.id;
$$;

select private.studio_grant_calls('public.studio_accounts()', 'service_role');
