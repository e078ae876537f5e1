-- What an account holds, as counts by name: { id, email, createdAt, holds: { workflows, … } }; null without such an account.
create or replace function public.studio_account_contents(p_email text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  account record;
  usage private.studio_usage%rowtype;
begin
  select users.id, users.email, users.created_at into account
  from auth.users as users where users.email = lower(p_email)
    and not exists (select from private.studio_deletions as deletions where deletions.owner = users.id);
  if not found then
    return null;
  end if;
  select * into usage from private.studio_usage as counted where counted.owner = account.id;
  return jsonb_build_object(
    'id', account.id, 'email', account.email, 'createdAt', account.created_at,
    'holds', jsonb_build_object(
      'workflows', (select count(*) from public.studio_workflows as own where own.owner = account.id),
      'versions', (select count(*) from public.studio_workflow_versions as own where own.owner = account.id),
      'published workflows', (select count(*) from public.studio_publications as own where own.owner = account.id),
      'schedules', (select count(*) from public.studio_triggers as own where own.owner = account.id),
      'runs', (select count(*) from public.studio_runs as own where own.owner = account.id),
      'steps of runs', coalesce(usage.events, 0),
      'conversations', (select count(*) from public.studio_memory_conversations as own where own.owner = account.id),
      'collections', (select count(*) from public.studio_knowledge_collections as own where own.owner = account.id),
      'documents', (select count(*) from public.studio_knowledge_documents as own where own.owner = account.id),
      'credentials', (select count(*) from public.studio_credentials as own where own.owner = account.id),
      'API keys', (select count(*) from public.studio_api_keys as own where own.owner = account.id),
      'test suites', (select count(*) from public.studio_suites as own where own.owner = account.id)
    ));
end;
$$;

select private.studio_grant_calls('public.studio_account_contents(text)', 'service_role');
