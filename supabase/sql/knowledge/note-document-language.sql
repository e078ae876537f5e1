-- Guesses a document's language when its text comes, unless a person chose one, and has its chunks indexed again after a change.
create or replace function private.studio_note_document_language() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_argv[0] = 'text' and not new.language_chosen then
    new.language := private.studio_document_language(new.collection_id, new.owner, new.sections);
  end if;
  if tg_op = 'UPDATE' and new.language is distinct from old.language then
    new.stale := true;
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_note_document_language()');
