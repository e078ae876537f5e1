-- An error of the database in words for the owner. p_code: its SQLSTATE; null for a message that can be shown as it is.
create or replace function private.studio_reason(p_code text, p_message text) returns text
language sql immutable set search_path = ''
as $$
  select left(case
    when p_message like 'quota_exceeded %' then
      case split_part(p_message, ' ', 2)
        when 'bytes' then 'The storage of this account is full.'
        when 'rows' then 'This account has reached its limit of entries.'
        when 'events' then 'This account has reached its limit of stored steps of runs.'
        when 'documents' then 'This account has reached its limit of documents.'
        when 'uploads' then 'This account has reached its limit of uploaded documents.'
        else 'This account has reached one of its limits.' end || ' Make room in Settings → Storage.'
    when p_message = 'not_published' then 'The workflow has no live version.'
    when p_code = '55P03' then 'Another session had locked the data.'
    when p_code = '57014' then 'It took too long and was stopped.'
    when p_code is null then p_message
    else 'The database refused it: ' || p_message end, 1000);
$$;

select private.studio_grant_calls('private.studio_reason(text, text)');
