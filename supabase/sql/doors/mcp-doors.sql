-- The publications of an owner whose MCP door is open and that have a live version, as studio_read_door gives them.
create or replace function public.studio_mcp_doors(p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(open.door order by open.slug), '[]'::jsonb)
  from (
    select publications.slug, public.studio_read_door(publications.workflow_id::text, 'mcp') as door
    from public.studio_publications as publications
    join public.studio_doors as doors
      on doors.workflow_id = publications.workflow_id and doors.kind = 'mcp' and doors.enabled
    where publications.owner = p_owner and publications.live is not null
    order by publications.slug
    limit 200
  ) as open
  where open.door is not null;
$$;

select private.studio_grant_calls('public.studio_mcp_doors(uuid)', 'service_role');
