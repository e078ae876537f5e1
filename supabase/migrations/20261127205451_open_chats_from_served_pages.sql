-- Subject: doors
set check_function_bodies = off;

-- Tokens of chat pages that have opened a session. They expire after ten minutes, and are forgotten after twenty.
create table private.studio_used_pages (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  -- SHA-256 in hex.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz not null default now(),
  primary key (workflow_id, hash)
);

create index studio_used_pages_oldest on private.studio_used_pages (used_at);

select private.studio_grant_rows('private.studio_used_pages');

drop function public.studio_chat_open(uuid, text, text, text, text, integer);

-- Opens a session of a visitor. False, and nothing opened, where the page with this token has opened one before; p_page_hash: its
-- SHA-256 in hex, null where the page needs none.
create or replace function public.studio_chat_open(
  p_workflow_id uuid, p_subject text, p_hash text, p_access_hash text, p_browser_hash text, p_seconds integer, p_page_hash text default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as old
  where old.hash in (
    select ended.hash from private.studio_chat_sessions as ended
    where ended.expires_at < now() order by ended.expires_at limit 20 for update skip locked
  );
  if p_page_hash is not null then
    delete from private.studio_used_pages as old
    where (old.workflow_id, old.hash) in (
      select ended.workflow_id, ended.hash from private.studio_used_pages as ended
      where ended.used_at < now() - interval '20 minutes' order by ended.used_at limit 20 for update skip locked
    );
    insert into private.studio_used_pages (workflow_id, hash) values (p_workflow_id, p_page_hash) on conflict do nothing;
    if not found then
      return false;
    end if;
  end if;
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  values (p_hash, p_workflow_id, p_subject, p_access_hash, p_browser_hash, now() + make_interval(secs => p_seconds));
  return true;
end;
$$;

select private.studio_grant_calls('public.studio_chat_open(uuid, text, text, text, text, integer, text)', 'service_role');
