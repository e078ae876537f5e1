-- Puts a sealed secret in the place of the same one unsealed, if it is still there; see studio_unsealed_secrets. p_kind: of a door; for a
-- collector its URL, to which the sealed text is bound.
create or replace function public.studio_seal_secret(
  p_store text, p_workflow_id uuid, p_kind text, p_name text, p_unsealed text, p_sealed text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  case p_store
    when 'doors' then
      -- While one secret replaces another, this one may have become the previous one.
      update private.studio_door_secrets as stored set secrets = (
        select jsonb_object_agg(entries.key, case
          when entries.value = to_jsonb(p_unsealed) and (entries.key = p_name or (entries.key = 'previous' and p_name = 'current'))
          then to_jsonb(p_sealed) else entries.value end)
        from jsonb_each(stored.secrets) as entries)
      where stored.workflow_id = p_workflow_id and stored.kind = p_kind and stored.secrets <> '{}';
    when 'failures' then
      update private.studio_failure_secrets as stored set secret = p_sealed
      where stored.workflow_id = p_workflow_id and stored.secret = p_unsealed;
    when 'collectors' then
      update private.studio_collectors as stored set headers = jsonb_set(stored.headers, array[p_name], to_jsonb(p_sealed))
      where stored.workflow_id = p_workflow_id and stored.url = p_kind and stored.headers ->> p_name = p_unsealed;
  end case;
end;
$$;

select private.studio_grant_calls('public.studio_seal_secret(text, uuid, text, text, text, text)', 'service_role');
