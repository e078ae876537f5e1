-- Sets a limit for every user; only the service role may.
create or replace function public.studio_set_quota(p_kind text, p_most bigint) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_quotas (kind, most) values (p_kind, p_most)
  on conflict (kind) do update set most = excluded.most;
$$;

select private.studio_grant_calls('public.studio_set_quota(text, bigint)', 'service_role');
