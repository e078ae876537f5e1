import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod/mini";

const requestBody = z.object({ model: z.string(), messages: z.array(z.object({ role: z.string() })) });

function send(response: ServerResponse, model: string, choice: object, extra: object = {}): void {
  const chunk = {
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [choice],
    ...extra,
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function streamToolCall(response: ServerResponse, model: string, index: number): void {
  const start = { index: 0, id: `call_${index}`, type: "function", function: { name: "calculator", arguments: "" } };
  send(response, model, { index: 0, delta: { role: "assistant", tool_calls: [start] }, finish_reason: null });
  for (const part of ['{"expres', 'sion":"2', `+${index}"}`]) {
    const delta = { tool_calls: [{ index: 0, function: { arguments: part } }] };
    send(response, model, { index: 0, delta, finish_reason: null });
  }
  send(response, model, { index: 0, delta: {}, finish_reason: "tool_calls" });
}

function streamAnswer(response: ServerResponse, model: string): void {
  for (let word = 0; word < 60; word++) {
    send(response, model, { index: 0, delta: { content: `word${word} ` }, finish_reason: null });
  }
  send(response, model, { index: 0, delta: {}, finish_reason: "stop" });
}

/**
 * A loopback server in the format of Chat Completions. A model named `calls-<n>` asks for the calculator until the
 * conversation holds n tool messages, then answers with 60 words.
 */
export async function startVendorServer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (data: string) => (text += data));
    request.on("end", () => {
      const { model, messages } = requestBody.parse(JSON.parse(text));
      const wanted = Number(model.slice("calls-".length));
      const done = messages.filter((message) => message.role === "tool").length;
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (done < wanted) streamToolCall(response, model, done);
      else streamAnswer(response, model);
      const usage = { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 };
      response.write(
        `data: ${JSON.stringify({ id: "chatcmpl-bench", object: "chat.completion.chunk", created: 0, model, choices: [], usage })}\n\n`,
      );
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
