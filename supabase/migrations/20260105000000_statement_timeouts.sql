-- How long a statement of one role may keep the others waiting. On a real Postgres it is cancelled then (57014); the embedded
-- one runs one statement at a time and cannot be interrupted, so there its process is ended by the studio instead.
-- A project whose owner may not change these roles keeps the times that it has: hosted projects have these by default.
do $$
declare
  wanted record;
begin
  for wanted in select * from (values ('anon', '3s'), ('authenticated', '8s')) as roles (name, longest) loop
    begin
      execute format('alter role %I set statement_timeout = %L', wanted.name, wanted.longest);
    exception
      when insufficient_privilege or undefined_object then
        raise notice 'The role % keeps its own statement_timeout.', wanted.name;
    end;
  end loop;
end
$$;
