-- A condition as a path that holds for metadata, or null where there is none. p_condition: { is: "and" | "or", of: [conditions] },
-- { is: "not", of: condition } or { is: "=" | "<" | "<=" | ">" | ">=" | "starts with", field, value }. Names and values become
-- literals of the path; a comparison of two types holds for nothing. Errors, by message: knowledge_filter_invalid.
create or replace function public.studio_filter_path(p_condition jsonb, p_depth integer default 0) returns jsonpath
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  kind constant text := p_condition ->> 'is';
  parts text[];
begin
  if p_condition is null then
    return null;
  end if;
  if p_depth > 40 then
    raise exception 'knowledge_filter_invalid' using errcode = 'PT400';
  end if;
  if kind in ('and', 'or') and jsonb_typeof(p_condition -> 'of') = 'array' then
    select array_agg('(' || public.studio_filter_path(part.value, p_depth + 1)::text || ')' order by part.place) into parts
    from jsonb_array_elements(p_condition -> 'of') with ordinality as part (value, place);
    if parts is not null then
      return array_to_string(parts, case kind when 'and' then ' && ' else ' || ' end)::jsonpath;
    end if;
  elsif kind = 'not' and jsonb_typeof(p_condition -> 'of') = 'object' then
    return ('!(' || public.studio_filter_path(p_condition -> 'of', p_depth + 1)::text || ')')::jsonpath;
  elsif kind in ('=', '<', '<=', '>', '>=', 'starts with') and jsonb_typeof(p_condition -> 'field') = 'string'
    and jsonb_typeof(p_condition -> 'value') in ('string', 'number', 'boolean')
    and (kind <> 'starts with' or jsonb_typeof(p_condition -> 'value') = 'string') then
    return format(
      'exists ($.%s ? (@ %s %s))', p_condition -> 'field', case kind when '=' then '==' else kind end, p_condition -> 'value'
    )::jsonpath;
  end if;
  raise exception 'knowledge_filter_invalid' using errcode = 'PT400';
end;
$$;

select private.studio_grant_calls('public.studio_filter_path(jsonb, integer)', 'authenticated', 'service_role');
