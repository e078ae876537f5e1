-- Subject: publications_and_server_runs
set check_function_bodies = off;

-- Prices of models that the operator accepted, in one row: { list: { model: { input, output, cached, long, … } } } in US dollars per
-- million tokens. They go before those that each version knows by itself, as long as these are not newer.
create table private.studio_prices (
  only_row boolean primary key default true check (only_row),
  -- Whether any account may accept prices: where only its own machine reaches the studio.
  anybody boolean not null default false,
  models jsonb not null default '{}'::jsonb check (jsonb_typeof(models) = 'object' and octet_length(models::text) <= 1048576),
  -- The address that they came from.
  source text not null default '',
  revision integer not null default 0,
  accepted_at timestamptz
);

select private.studio_grant_rows('private.studio_prices');

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

-- As private.studio_model_prices, and whether the caller may accept prices: { …, mayAccept }.
create or replace function public.studio_read_prices(p_known integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.studio_model_prices(p_known) || jsonb_build_object(
    'mayAccept', auth.uid() is null or coalesce((select prices.anybody from private.studio_prices as prices), false));
$$;

select private.studio_grant_calls('public.studio_read_prices(integer)', 'authenticated', 'service_role');

-- Has all runs from now on priced by p_models: { list: { model: { input, output, … } } } in US dollars per million tokens, beside what was
-- accepted before. Only for the operator: the service role, and any account of a studio that only its own machine reaches. Raises
-- "not_operator", and for prices of another form what they have to be.
create or replace function public.studio_accept_prices(p_models jsonb, p_source text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  wrong text;
  accepted integer;
begin
  if auth.uid() is not null and not coalesce((select prices.anybody from private.studio_prices as prices), false) then
    raise exception 'not_operator' using errcode = '42501';
  end if;
  if jsonb_typeof(p_models) is distinct from 'object'
    or exists (select from jsonb_each(p_models) as lists where jsonb_typeof(lists.value) <> 'object') then
    raise exception 'The prices have to be an object of lists of models.' using errcode = '22023';
  end if;
  select format('%s %s', lists.key, models.key) into wrong
  from jsonb_each(p_models) as lists, jsonb_each(lists.value) as models, (values ('input'), ('output'), ('cached')) as parts (part)
  where case jsonb_typeof(models.value -> part)
    when 'number' then (models.value ->> part)::numeric not between 0 and 100000 else models.value ? part end
    or jsonb_typeof(models.value) <> 'object'
  limit 1;
  if wrong is not null then
    raise exception 'A price of % is no number from 0 to 100000.', wrong using errcode = '22023';
  end if;
  insert into private.studio_prices as prices (models, source, revision, accepted_at)
  values (p_models, left(coalesce(p_source, ''), 500), 1, now())
  on conflict (only_row) do update set
    models = (
      select coalesce(jsonb_object_agg(names.list,
        coalesce(prices.models -> names.list, '{}') || coalesce(excluded.models -> names.list, '{}')), '{}')
      from (select jsonb_object_keys(prices.models) as list union select jsonb_object_keys(excluded.models)) as names),
    source = excluded.source, revision = prices.revision + 1, accepted_at = now()
  returning prices.revision into accepted;
  return accepted;
end;
$$;

select private.studio_grant_calls('public.studio_accept_prices(jsonb, text)', 'authenticated', 'service_role');

-- Says whether any account may accept prices of models; only the service role may say so.
create or replace function public.studio_open_prices(p_anybody boolean) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_prices (anybody) values (p_anybody)
  on conflict (only_row) do update set anybody = excluded.anybody;
$$;

select private.studio_grant_calls('public.studio_open_prices(boolean)', 'service_role');
