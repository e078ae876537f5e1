-- Publishes a document of the caller and gives { version, slug, unchanged }. The document that was published last becomes no
-- new version (`unchanged`). p_target is 'live', 'staging' or 'none'. Raises "workflow_not_found" and, where p_slug belongs to
-- another workflow, "slug_taken".
create or replace function public.studio_publish(
  p_workflow_id uuid, p_document jsonb, p_workflows jsonb, p_hash text, p_schedules jsonb, p_slug text, p_note text,
  p_revision integer, p_target text
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication public.studio_publications%rowtype;
  latest public.studio_published%rowtype;
  number integer;
begin
  perform 1 from public.studio_workflows as workflows
  where workflows.id = p_workflow_id and workflows.owner = caller and workflows.deleted_at is null
  for update;
  if not found then
    raise exception 'workflow_not_found' using errcode = 'PT404';
  end if;
  if p_target not in ('live', 'staging', 'none') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  begin
    insert into public.studio_publications as own (workflow_id, owner, slug) values (p_workflow_id, caller, p_slug)
    on conflict (workflow_id) do update set slug = excluded.slug, updated_at = now()
    returning * into publication;
  exception when unique_violation then
    raise exception 'slug_taken' using errcode = '23505';
  end;
  select * into latest from public.studio_published as version
  where version.workflow_id = p_workflow_id and version.owner = caller order by version.version desc limit 1;
  if latest.hash = p_hash then
    number := latest.version;
  else
    number := coalesce(latest.version, 0) + 1;
    insert into public.studio_published
      (workflow_id, owner, version, document, workflows, hash, schedules, note, revision)
    values (
      p_workflow_id, caller, number, p_document, coalesce(p_workflows, '{}'::jsonb), p_hash,
      coalesce(p_schedules, '[]'::jsonb), coalesce(p_note, ''), p_revision
    );
  end if;
  if p_target <> 'none' then
    perform public.studio_point(p_workflow_id, p_target, number);
  end if;
  return jsonb_build_object('version', number, 'slug', publication.slug, 'unchanged', latest.hash is not distinct from p_hash);
end;
$$;

select private.studio_grant_calls('public.studio_publish(uuid, jsonb, jsonb, text, jsonb, text, text, integer, text)', 'authenticated', 'service_role');
