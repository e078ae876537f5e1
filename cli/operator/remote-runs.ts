import { setTimeout as delay } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { z } from "zod/mini";
import type { Json } from "../../src/engine/json.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { printLine } from "../headless/print.ts";
import { readInput } from "../headless/read-file.ts";
import type { RemoteStudio } from "./remote-studio.ts";
import type { RunsCommand } from "./runs-arguments.ts";

const lookAgainMs = 500;
const underWay = ["queued", "running", "waiting"];

const json = z.json() as z.ZodMiniType<Json>;
const runSchema = z.object({ id: z.string(), status: z.string(), output: z.optional(json), error: z.optional(json) });
type Run = z.infer<typeof runSchema>;
const problemSchema = z.object({ detail: z.string() });

/** Does what the command line says by the API of a studio elsewhere; gives the exit code. Throws CommandFailure. */
export async function remoteRunsCommand(command: RunsCommand, studio: RemoteStudio): Promise<0 | 1> {
  switch (command.action) {
    case "start": {
      const run = await start(studio, command);
      return print(command.wait ? await ended(studio, run.id) : run);
    }
    case "status":
      return print(await readRun(studio, command.id));
    case "cancel":
      await print(runSchema.parse(await (await ask(studio, "POST", `/api/runs/${command.id}/cancel`)).json()));
      // It was asked for, so it is no failure.
      return 0;
    case "events":
      await printEvents(studio, command);
      return 0;
    default:
      return command satisfies never;
  }
}

async function start(
  studio: RemoteStudio,
  { slug, target, input, key }: Extract<RunsCommand, { action: "start" }>,
): Promise<Run> {
  const headers = { prefer: "respond-async", ...(key === undefined ? {} : { "idempotency-key": key }) };
  const body = JSON.stringify(await readInput(input));
  const path = `/api/run/${encodeURIComponent(slug)}@${target}`;
  const { id, status } = runSchema.parse(await (await ask(studio, "POST", path, { headers, body })).json());
  return { id, status };
}

async function readRun(studio: RemoteStudio, id: string): Promise<Run> {
  const run = runSchema.parse(await (await ask(studio, "GET", `/api/runs/${id}`)).json());
  if (run.status === "completed") return run;
  const { output: _none, ...rest } = run;
  return rest;
}

async function ended(studio: RemoteStudio, id: string): Promise<Run> {
  for (;;) {
    const run = await readRun(studio, id);
    if (!underWay.includes(run.status)) return run;
    await delay(lookAgainMs);
  }
}

async function printEvents(
  studio: RemoteStudio,
  { id, follow }: Extract<RunsCommand, { action: "events" }>,
): Promise<void> {
  const response = await ask(studio, "GET", `/api/runs/${id}/events${follow ? "" : "?follow=false"}`);
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const { event, data } of messages.splice(0)) {
      if (event === "status" || event === "run" || event === "end") continue;
      // Events of the log say their type themselves.
      const told = z.record(z.string(), json).parse(JSON.parse(data));
      await printLine(JSON.stringify({ type: event ?? "event", ...told }));
    }
  }
}

async function ask(
  { url, apiKey }: RemoteStudio,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
      body: body ?? null,
    });
  } catch {
    throw new CommandFailure(`The studio at ${url} cannot be reached.`, "Check the address and whether it runs.");
  }
  if (response.ok) return response;
  const problem = problemSchema.safeParse(await response.json().catch(() => null));
  throw new CommandFailure(
    `The studio refused it: ${problem.data?.detail ?? `status ${response.status}`}`,
    response.status === 404 ? "Check the address, and what the API key may use." : "Look at the API key's settings.",
  );
}

async function print({ id, status, output, error }: Run): Promise<0 | 1> {
  const shown = { id, status, ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) };
  await printLine(JSON.stringify(shown));
  return ["failed", "cancelled", "interrupted"].includes(status) ? 1 : 0;
}
