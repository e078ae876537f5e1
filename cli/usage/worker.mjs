/** What `npm run worker -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Runs published workflows beside a studio on a PostgreSQL server or a Supabase project. A studio on its embedded database runs workers by
itself (npm start -- --workers <number>). It is set up by variables of the environment.

  npm run worker
  npm run worker -- --help

  DATABASE_URL               the database, as the role studio_worker
  SUPABASE_URL               where the studio's API is
  SUPABASE_PUBLISHABLE_KEY   the project's publishable key
  SUPABASE_JWT_KEY           the private JWK with which users' tokens are signed, or
  SUPABASE_JWT_SECRET        the legacy secret
  STUDIO_KEYS_FILE           the keys.json of a studio, in the place of all keys here
  WORKER_CONCURRENCY         runs at once (64)
  WORKER_HEALTH_PORT, WORKER_HEALTH_HOST, STUDIO_METRICS_TOKEN
                             /health, /ready and /metrics

With functions of its own it makes calls of models, services and databases itself, not by way of the studio:

  FUNCTIONS_DATABASE_URL     the database, as a role to which authenticated and service_role are granted
  SUPABASE_SECRET_KEY        the project's secret key, for the bytes of files
  CREDENTIALS_KEYS, CREDENTIALS_KEY_VERSION
                             what credentials are encrypted with
  STUDIO_ALLOW_HOSTS, HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                             as for the studio

docs/server-runs.md says more.`;
