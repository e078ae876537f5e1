import { CommandFailure } from "./command-failure.ts";
import { readOptions } from "./read-options.ts";

export interface Arguments {
  workflow: string;
  /** As written: JSON, `@file` or `-`. */
  input: string;
  /** JSON object or `@file`: what templates read as `vars`. */
  vars?: string;
  credentials?: string;
  events: boolean;
  allowHosts: string[];
  /** Files of exported collections. */
  knowledge: string[];
  approve: boolean;
  /** Make calls of a recording again that may have been made before it broke off. */
  repeat: boolean;
  /** File that keeps the conversations of database memories. */
  memory?: string;
  /** Directory of the workflows that a workflow tool may run. */
  workflows?: string;
  /** Take outputs that are pinned in the workflow instead of running the nodes. */
  pins: boolean;
  /** File that gets the run as OpenTelemetry traces; with `otelContent` also what was said. */
  otel?: string;
  otelContent: boolean;
  /** File with the events of a former run, to be served again. */
  replay?: string;
  /** The call at which the recording is left. */
  until?: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseArguments(argv: readonly string[]): Arguments | null {
  const { values, positionals } = read(argv);
  if (values.help) return null;
  const [workflow, ...more] = positionals;
  if (workflow === undefined) throw new CommandFailure("No workflow file was named.", help, 2);
  if (more.length > 0) throw new CommandFailure(`Unexpected extra workflow file: ${more.join(" ")}`, help, 2);
  if (values.repeat && values.replay === undefined) {
    throw new CommandFailure("--repeat needs --replay: it is about calls of a recording that broke off.", help, 2);
  }
  if (values.until !== undefined && values.replay === undefined) {
    throw new CommandFailure("--until needs --replay: it says where to leave the recording.", help, 2);
  }
  return {
    workflow,
    input: values.input ?? "{}",
    ...(values.vars !== undefined ? { vars: values.vars } : {}),
    ...(values.credentials !== undefined ? { credentials: values.credentials } : {}),
    events: values.events ?? false,
    allowHosts: values["allow-host"] ?? [],
    knowledge: values.knowledge ?? [],
    approve: values.approve ?? false,
    repeat: values.repeat ?? false,
    ...(values.workflows !== undefined ? { workflows: values.workflows } : {}),
    pins: values.pins ?? false,
    ...(values.memory !== undefined ? { memory: values.memory } : {}),
    otelContent: values["otel-content"] ?? false,
    ...(values.otel !== undefined ? { otel: values.otel } : {}),
    ...(values.replay !== undefined ? { replay: values.replay } : {}),
    ...(values.until !== undefined ? { until: values.until } : {}),
  };
}

function read(argv: readonly string[]) {
  return readOptions(
    argv,
    {
      input: { type: "string" },
      vars: { type: "string" },
      credentials: { type: "string" },
      events: { type: "boolean" },
      "allow-host": { type: "string", multiple: true },
      knowledge: { type: "string", multiple: true },
      approve: { type: "boolean" },
      repeat: { type: "boolean" },
      memory: { type: "string" },
      workflows: { type: "string" },
      pins: { type: "boolean" },
      otel: { type: "string" },
      "otel-content": { type: "boolean" },
      replay: { type: "string" },
      until: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
    help,
  );
}
