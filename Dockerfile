# Two images from one file; see docs/deploy.md and docs/server-runs.md. The last one is built where no target is named.
#   docker build --target studio -t switchyard-studio .
#   docker build --target worker -t switchyard-worker .
# Debian 13, whose pg_dump is as new as the server of compose.yaml.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install script.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY tsconfig.base.json tsconfig.json tsconfig.node.json tsconfig.app.json tsconfig.pure.json ./
COPY cli cli
COPY src src
COPY supabase supabase
COPY worker worker
# Compiled and built here, since the user below may not write into the project.
RUN node --input-type=module -e "import { compile } from './worker/runtime/compiled.mjs'; \
  for (const entry of ['worker/main.ts', 'supabase/local/workers/stand-alone-worker.ts', 'src/host/sandbox/load-quickjs.ts', \
  'src/host/sandbox/run-code.ts', 'src/engine/json-schema/schema-check.ts']) await compile(entry);"

# A studio beside a PostgreSQL server: its keys are in /data, and /backups is there for its backups.
FROM packages AS studio
# pg_dump and pg_restore, which back up the server's database.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY index.html chat.html share.html vite.config.ts ./
COPY public public
COPY examples examples
COPY scripts scripts
RUN node --input-type=module -e "import { compile } from './worker/runtime/compiled.mjs'; \
  import { ensureInstalled } from './cli/install.mjs'; import { ensureBuilt } from './scripts/build-site.mjs'; \
  ensureInstalled('/app'); ensureBuilt('/app'); \
  for (const entry of ['supabase/local/stack.ts', 'cli/operator/data.ts']) await compile(entry);" \
  && mkdir /data /backups && chown node:node /data /backups && chmod 700 /data /backups
USER node
ENV NODE_ENV=production
VOLUME /data
EXPOSE 4700
HEALTHCHECK --interval=15s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4700/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "cli/start.mjs", "--host", "0.0.0.0", "--data", "/data", "--no-open"]

# A worker for published workflows, with functions of its own, beside a Supabase project or any Postgres with its schema.
FROM packages AS worker
USER node
# Reachable from outside of the container, which decides by itself what it opens.
ENV NODE_ENV=production WORKER_HEALTH_PORT=8080 WORKER_HEALTH_HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Stopped by SIGTERM, it gives its runs back to the queue within two seconds; other workers go on with them.
CMD ["node", "worker/start-worker.mjs"]
