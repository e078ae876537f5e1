-- The prices of models that the operator accepted: { revision, models, source, acceptedOn }. models: null where p_known is the revision.
create or replace function private.studio_model_prices(p_known integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'revision', coalesce(max(prices.revision), 0),
    'models', (max(prices.models::text) filter (where prices.revision is distinct from p_known))::jsonb,
    'source', coalesce(max(prices.source), ''),
    'acceptedOn', to_char(max(prices.accepted_at) at time zone 'utc', 'YYYY-MM-DD'))
  from private.studio_prices as prices;
$$;

select private.studio_grant_calls('private.studio_model_prices(integer)', 'studio_worker');
