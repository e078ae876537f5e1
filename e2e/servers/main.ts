import { startJsonApi } from "./json-api.ts";
import { startOpenaiServer } from "./openai-server.ts";

/** Starts both loopback servers for use by hand: `npx tsx e2e/servers/main.ts`. Ctrl-C stops them. */
const [model, api] = await Promise.all([startOpenaiServer({ port: 4811 }), startJsonApi({ port: 4812 })]);

console.log(`OpenAI-compatible server  base URL ${model.baseUrl}  key ${model.key}`);
console.log(`JSON API                  ${api.url}/weather?city=Berlin`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void Promise.all([model.close(), api.close()]));
}
