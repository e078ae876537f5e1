-- What the caller has, and may have.
create or replace function public.studio_storage() returns table (kind text, used bigint, most bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select quotas.kind,
      coalesce(case quotas.kind
        when 'rows' then usage.rows when 'bytes' then usage.bytes when 'events' then usage.events
        when 'documents' then usage.documents when 'uploads' then usage.uploads end, 0),
      quotas.most
    from private.studio_quotas as quotas left join private.studio_usage as usage on usage.owner = caller
    order by quotas.kind;
end;
$$;

select private.studio_grant_calls('public.studio_storage()', 'authenticated', 'service_role');
