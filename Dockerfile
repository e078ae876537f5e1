# A worker for published workflows, beside a Supabase project or any Postgres with its schema. See docs/server-runs.md.
#   docker build -t switchyard-worker .
#   docker run --env-file worker.env -p 127.0.0.1:8080:8080 switchyard-worker
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install script.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY tsconfig.base.json tsconfig.json tsconfig.node.json tsconfig.app.json tsconfig.pure.json ./
COPY cli cli
COPY src src
COPY supabase supabase
COPY worker worker
# Compiled here, since the user below may not write into the project.
RUN node --input-type=module -e "import { compile } from './worker/runtime/compiled.mjs'; \
  for (const entry of ['worker/main.ts', 'src/host/sandbox/load-quickjs.ts', \
  'src/host/sandbox/run-code.ts', 'src/engine/json-schema/schema-check.ts']) await compile(entry);"
USER node
# Reachable from outside of the container, which decides by itself what it opens.
ENV NODE_ENV=production WORKER_HEALTH_PORT=8080 WORKER_HEALTH_HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Stopped by SIGTERM, it gives its runs back to the queue; other workers go on with them.
CMD ["node", "worker/worker-process.mjs"]
