// A stdio server for tests, without the SDK: says what it hears, and ends when it is told to.
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const heard = [];

const answers = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "odd", version: "1.2.3" },
  }),
  "tools/list": () => ({
    tools: ["wait", "heard", "change", "exit"].map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
};

const calls = {
  wait: () => undefined,
  heard: () =>
    JSON.stringify({ heard, pid: process.pid, directory: process.cwd(), ofOperator: process.env.TEST_OF_OPERATOR }),
  change: () => {
    send({ method: "notifications/tools/list_changed" });
    return "changed";
  },
  exit: () => process.exit(3),
};

console.error("odd server: ready");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  heard.push(method);
  if (id === undefined) continue;
  if (method !== "tools/call") {
    send({ id, result: answers[method]?.() ?? {} });
    continue;
  }
  const text = calls[params.name]();
  if (text !== undefined) send({ id, result: { content: [{ type: "text", text }] } });
}
