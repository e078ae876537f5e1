-- Gives a source back in the middle of its reload, which goes on after p_ms milliseconds.
create or replace function private.studio_leave_source(p_owner uuid, p_source uuid, p_turn uuid, p_ms integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  perform set_config('studio.moves_on', 'yes', true);
  update public.studio_knowledge_sources as own set turn = null, worker = null, due_at = now() + make_interval(secs => p_ms / 1000.0)
  where own.id = p_source and own.owner = p_owner and own.turn = p_turn;
end;
$$;

select private.studio_grant_calls('private.studio_leave_source(uuid, uuid, uuid, integer)', 'studio_worker');
