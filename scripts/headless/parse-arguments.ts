import { parseArgs } from "node:util";
import { CommandFailure } from "./command-failure.ts";

export interface Arguments {
  workflow: string;
  /** As written: JSON, `@file` or `-`. */
  input: string;
  /** JSON object or `@file`: what templates read as `vars`. */
  vars?: string;
  credentials?: string;
  events: boolean;
  allowHosts: string[];
  approve: boolean;
  /** Directory of the workflows that a workflow tool may run. */
  workflows?: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseArguments(argv: readonly string[]): Arguments | null {
  const { values, positionals } = read(argv);
  if (values.help) return null;
  const [workflow, ...more] = positionals;
  if (workflow === undefined) throw new CommandFailure("No workflow file was named.", help, 2);
  if (more.length > 0) throw new CommandFailure(`There is one workflow file too many: ${more.join(" ")}`, help, 2);
  return {
    workflow,
    input: values.input ?? "{}",
    ...(values.vars !== undefined ? { vars: values.vars } : {}),
    ...(values.credentials !== undefined ? { credentials: values.credentials } : {}),
    events: values.events ?? false,
    allowHosts: values["allow-host"] ?? [],
    approve: values.approve ?? false,
    ...(values.workflows !== undefined ? { workflows: values.workflows } : {}),
  };
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        input: { type: "string" },
        vars: { type: "string" },
        credentials: { type: "string" },
        events: { type: "boolean" },
        "allow-host": { type: "string", multiple: true },
        approve: { type: "boolean" },
        workflows: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), help, 2);
  }
}
