drop function public.studio_accept_prices(jsonb, text);

-- Has all runs from now on priced by p_models: { list: { model: { input, output, … } } } in US dollars per million tokens, beside what was
-- accepted before. What was accepted before p_known_on is dropped: the asker's version knows more. Only for the operator: the service
-- role, and any account of a studio that only its own machine reaches. Raises "not_operator", and for prices of another form what they
-- have to be.
create or replace function public.studio_accept_prices(p_models jsonb, p_source text, p_known_on date default null) returns integer
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
    models = case when (prices.accepted_at at time zone 'utc')::date < p_known_on then excluded.models else (
      select coalesce(jsonb_object_agg(names.list,
        coalesce(prices.models -> names.list, '{}') || coalesce(excluded.models -> names.list, '{}')), '{}')
      from (select jsonb_object_keys(prices.models) as list union select jsonb_object_keys(excluded.models)) as names) end,
    source = excluded.source, revision = prices.revision + 1, accepted_at = now()
  returning prices.revision into accepted;
  return accepted;
end;
$$;

select private.studio_grant_calls('public.studio_accept_prices(jsonb, text, date)', 'authenticated', 'service_role');
