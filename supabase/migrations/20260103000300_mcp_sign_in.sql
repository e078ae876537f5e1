-- Credentials of MCP servers that a person signs in to with the browser (OAuth).

alter table public.studio_credentials drop constraint studio_credentials_type_check;
alter table public.studio_credentials add constraint studio_credentials_type_check check (type in (
  'openai', 'anthropic', 'gemini', 'openai-compatible',
  'http-basic', 'http-header', 'http-bearer', 'http-api-key',
  'redis', 'postgres', 'mcp', 'mcp-oauth'
));
