-- Says what became of a notice: sent, or why not. Then it is sent again after 30 seconds, and each time after four times as long,
-- six times in all: for about eleven hours.
create or replace function public.studio_end_notice(p_id uuid, p_problem text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended private.studio_notices%rowtype;
begin
  update private.studio_notices as notices set
    worker = null,
    next_at = case when p_problem is null or notices.attempts >= 7 then null
      else now() + interval '30 seconds' * (4 ^ (greatest(notices.attempts, 1) - 1)) end
  where notices.id = p_id and notices.next_at is not null
  returning * into ended;
  if ended.id is null then
    return;
  end if;
  update public.studio_publications as own set
    on_failure_problem = case when p_problem is null then null
      when ended.next_at is null then left('The webhook that is told of failures could not be reached: ' || p_problem, 1000)
      else left('The webhook that is told of failures could not be reached and is tried again: ' || p_problem, 1000) end
  where own.workflow_id = ended.workflow_id
    and (p_problem is not null or own.on_failure_problem is not null);
end;
$$;

select private.studio_grant_calls('public.studio_end_notice(uuid, text)', 'service_role');
