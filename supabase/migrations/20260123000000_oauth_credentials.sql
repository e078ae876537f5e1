-- Credentials whose tokens come from an OAuth 2 server that the person names.

alter table public.studio_credentials drop constraint studio_credentials_type_check;
alter table public.studio_credentials add constraint studio_credentials_type_check check (type in (
  'openai', 'anthropic', 'gemini', 'openai-compatible',
  'http-basic', 'http-header', 'http-bearer', 'http-api-key', 'oauth2', 'oauth2-client',
  'redis', 'postgres', 'mcp', 'mcp-oauth'
));
