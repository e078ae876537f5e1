-- What a filter of passages asks for, as a condition: p_filter is one, or names with the values that they have to have.
create or replace function public.studio_place_filter(p_filter jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select case when p_filter is null or p_filter ? 'is' then p_filter else (
    select jsonb_build_object('is', 'and', 'of', jsonb_agg(jsonb_build_object('is', '=', 'field', wanted.key, 'value', wanted.value)))
    from jsonb_each(p_filter) as wanted having count(*) > 0
  ) end;
$$;

select private.studio_grant_calls('public.studio_place_filter(jsonb)', 'authenticated', 'service_role');
