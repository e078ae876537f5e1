import { setTimeout as delay } from "node:timers/promises";
import type { PostgrestClient } from "@supabase/postgrest-js";
import { z } from "zod/mini";
import { isJsonObject, type Json } from "../../src/engine/json.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { eventsReferredTo, EventUnpacker } from "../../src/engine/run/stored-events.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { printLine } from "../headless/print.ts";
import { readInput } from "../headless/read-file.ts";
import { openStudio, type OpenStudio } from "./open-studio.ts";
import { remoteRunsCommand } from "./remote-runs.ts";
import type { RunsCommand } from "./runs-arguments.ts";

const lookAgainMs = 500;
const pageSize = 500;
const underWay = ["queued", "running", "waiting"];

const startedSchema = z.object({ id: z.string(), status: z.string() });
const json = z.json() as z.ZodMiniType<Json>;
const runSchema = z.object({
  id: z.string(),
  owner: z.string(),
  status: z.string(),
  output: z.nullable(z.object({ value: json })),
  error: z.nullable(json),
});
const eventSchema = z.object({ event: z.custom<RunEvent>((value) => isJsonObject(value)) });

/** What the command prints of a run. */
interface PrintedRun {
  id: string;
  status: string;
  output?: Json;
  error?: Json;
}

/** Does what the command line says and gives the exit code. Throws CommandFailure where that cannot be done. */
export async function runsCommand(command: RunsCommand): Promise<0 | 1> {
  if (command.remote) return remoteRunsCommand(command, command.remote);
  const studio = await openStudio(command.data);
  switch (command.action) {
    case "start": {
      const run = await start(studio, command);
      return print(command.wait ? await ended(studio, run.id) : run);
    }
    case "status":
      return print(await readRun(studio, command.id));
    case "cancel": {
      const { owner } = await findRun(studio, command.id);
      const { error } = await studio.actingAs(owner).rpc("studio_cancel_run", { p_run_id: command.id });
      if (error) throw noSuchRun(command.id);
      const run = await readRun(studio, command.id);
      // It was asked for, so it is no failure.
      await print(run);
      return 0;
    }
    case "events":
      return printEvents(studio, command);
    default:
      return command satisfies never;
  }
}

async function start(
  studio: OpenStudio,
  { slug, input, target, key }: Extract<RunsCommand, { action: "start" }>,
): Promise<PrintedRun> {
  const given = await readInput(input);
  const owner = await studio.ownerOf(slug);
  if (owner === null) {
    const hint = "Publish it in the editor, or look up its name there.";
    throw new CommandFailure(`No workflow is published as ${slug}.`, hint);
  }
  const { data, error } = await studio.actingAs(owner).rpc("studio_start_run", {
    p_workflow: slug,
    p_target: target,
    p_input: given,
    p_key: key ?? null,
  });
  if (error?.message.includes("not_published") === true) {
    throw new CommandFailure(`${slug} has no ${target} version.`, "Publish one, or name another with --target.");
  }
  if (error) throw new CommandFailure(`The run could not be started: ${error.message}`, "Check the studio's terminal.");
  const { id, status } = startedSchema.parse(data);
  return { id, status };
}

async function ended(studio: OpenStudio, id: string): Promise<PrintedRun> {
  for (;;) {
    const run = await readRun(studio, id);
    if (!underWay.includes(run.status)) return run;
    await delay(lookAgainMs);
  }
}

async function findRun(studio: OpenStudio, id: string): Promise<z.infer<typeof runSchema>> {
  const found = studio.service.from("studio_runs").select("id,owner,status,output,error").eq("id", id);
  const { data, error } = await found.maybeSingle();
  if (error) throw new CommandFailure(`The run could not be read: ${error.message}`, "Check the studio's terminal.");
  if (data === null) throw noSuchRun(id);
  return runSchema.parse(data);
}

function noSuchRun(id: string): CommandFailure {
  return new CommandFailure(`There is no run ${id}.`, "`runs start` prints the id of the run that it started.");
}

async function readRun(studio: OpenStudio, id: string): Promise<PrintedRun> {
  const { status, output, error } = await findRun(studio, id);
  return {
    id,
    status,
    ...(output === null || underWay.includes(status)
      ? {}
      : { output: await withPictures(studio.service, id, output.value) }),
    ...(error === null ? {} : { error }),
  };
}

/** Puts the pictures back to which a run's row only refers. */
async function withPictures(service: PostgrestClient, id: string, output: Json): Promise<Json> {
  const seqs = eventsReferredTo(output);
  const unpacker = new EventUnpacker();
  if (seqs.length > 0) {
    const { data } = await service.from("studio_run_events").select("event").eq("run_id", id).in("seq", seqs);
    for (const { event } of z.array(eventSchema).parse(data ?? [])) unpacker.unpack(event);
  }
  return unpacker.value(output);
}

async function print(run: PrintedRun): Promise<0 | 1> {
  await printLine(JSON.stringify(run));
  return run.status === "failed" || run.status === "cancelled" || run.status === "interrupted" ? 1 : 0;
}

async function printEvents(
  studio: OpenStudio,
  { id, follow }: Extract<RunsCommand, { action: "events" }>,
): Promise<0 | 1> {
  const unpacker = new EventUnpacker();
  let next = 0;
  for (;;) {
    const { status } = await findRun(studio, id);
    // Read after the status: the last events and the end are stored together.
    for (;;) {
      const page = studio.service.from("studio_run_events").select("event").eq("run_id", id).gte("seq", next);
      const { data, error } = await page.order("seq").limit(pageSize);
      if (error) throw new CommandFailure(`The events could not be read: ${error.message}`, "Try again.");
      const events = z.array(eventSchema).parse(data);
      for (const { event } of events) {
        await printLine(JSON.stringify(unpacker.unpack(event)));
        next = event.seq + 1;
      }
      if (events.length < pageSize) break;
    }
    if (!follow || !underWay.includes(status)) return 0;
    await delay(lookAgainMs);
  }
}
