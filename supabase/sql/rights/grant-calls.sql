-- The one place that says who may call a function: the roles that are named, and nobody else.
create or replace function private.studio_grant_calls(p_function regprocedure, variadic p_roles text[] default '{}')
returns void language plpgsql set search_path = ''
as $$
declare
  role_name text;
begin
  execute format('revoke all on function %s from public, anon, authenticated, service_role', p_function);
  foreach role_name in array p_roles loop
    execute format('grant execute on function %s to %I', p_function, role_name);
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_grant_calls(regprocedure, text[])');
