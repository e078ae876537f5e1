-- Documents of Office, books, emails and XML.
alter table public.studio_knowledge_documents drop constraint studio_knowledge_documents_kind_check;
alter table public.studio_knowledge_documents add constraint studio_knowledge_documents_kind_check check (
  kind in ('text', 'markdown', 'html', 'csv', 'json', 'xml', 'pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'epub', 'rtf', 'eml', 'msg')
);
