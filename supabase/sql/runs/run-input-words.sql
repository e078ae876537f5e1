-- The beginning of a run's input as a list shows it; what is small stays as it is. Only what is large is read for it.
create or replace function public.studio_run_input_words(p_input jsonb) returns jsonb
language sql immutable security invoker set search_path = ''
as $$
  select case
    when pg_column_size(p_input) <= 2000 then p_input
    when jsonb_typeof(p_input #> '{value,message}') = 'string'
      then jsonb_build_object('value', jsonb_build_object('message', left(p_input #>> '{value,message}', 300)))
    when jsonb_typeof(p_input -> 'value') = 'string' then jsonb_build_object('value', left(p_input ->> 'value', 300))
    else jsonb_build_object('value', left((p_input -> 'value')::text, 300))
  end;
$$;

select private.studio_grant_calls('public.studio_run_input_words(jsonb)', 'authenticated', 'service_role');
