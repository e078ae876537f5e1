-- Names the collector of the caller's publication; null as its address removes it, and what waits. p_headers null keeps the headers,
-- unless the address changes: secrets for one server are not sent to another. Raises "not_published".
create or replace function public.studio_save_collector(p_workflow_id uuid, p_url text, p_headers jsonb, p_content boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  if p_url is null then
    delete from private.studio_collectors as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_collectors as stored (workflow_id, url, headers, content)
  values (p_workflow_id, p_url, coalesce(p_headers, '{}'::jsonb), p_content)
  on conflict (workflow_id) do update set
    url = excluded.url, content = excluded.content, problem = null,
    headers = case when p_headers is null and stored.url = excluded.url then stored.headers else excluded.headers end;
end;
$$;

select private.studio_grant_calls('public.studio_save_collector(uuid, text, jsonb, boolean)', 'authenticated', 'service_role');
