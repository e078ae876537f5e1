-- For the rest of the transaction nobody is waited for longer than a second.
create or replace function private.studio_limit_waiting() returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform set_config('lock_timeout', '1s', true);
end;
$$;

select private.studio_grant_calls('private.studio_limit_waiting()');
