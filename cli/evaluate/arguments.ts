import { type ReplayMode, replayModes } from "../../src/evaluation/suite/suite.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

/** The command line of `npm run evaluate`. */
export interface EvaluateArguments {
  suite: string;
  trials?: number;
  /** Tried instead of the suite's matrix. */
  model?: { nodeId?: string; model: string };
  replay?: ReplayMode;
  onMiss?: "fail" | "live";
  record: boolean;
  baseline?: string;
  out?: string;
  junit?: string;
  json: boolean;
  /** Do not go on with an evaluation that was broken off. */
  fresh: boolean;
  credentials?: string;
  vars?: string;
  allowHosts: string[];
  knowledge: string[];
  workflows?: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseEvaluateArguments(argv: readonly string[]): EvaluateArguments | null {
  const { values, positionals } = read(argv);
  if (values.help) return null;
  const [suite, ...more] = positionals;
  if (suite === undefined) throw new CommandFailure("No suite was named.", help, 2);
  if (more.length > 0) throw new CommandFailure(`There is one path too many: ${more.join(" ")}`, help, 2);
  const { trials, model, replay, baseline, out, junit, credentials, vars, workflows } = values;
  const onMiss = values["on-miss"];
  if (onMiss !== undefined && onMiss !== "fail" && onMiss !== "live")
    throw new CommandFailure(`--on-miss ${onMiss} is not known. It is fail or live.`, help, 2);
  return {
    suite,
    ...(trials === undefined ? {} : { trials: readTrials(trials) }),
    ...(model === undefined ? {} : { model: readModel(model) }),
    ...(replay === undefined ? {} : { replay: readReplay(replay) }),
    ...(onMiss === undefined ? {} : { onMiss }),
    record: values.record ?? false,
    ...(baseline === undefined ? {} : { baseline }),
    ...(out === undefined ? {} : { out }),
    ...(junit === undefined ? {} : { junit }),
    json: values.json ?? false,
    fresh: values.fresh ?? false,
    ...(credentials === undefined ? {} : { credentials }),
    ...(vars === undefined ? {} : { vars }),
    allowHosts: values["allow-host"] ?? [],
    knowledge: values.knowledge ?? [],
    ...(workflows === undefined ? {} : { workflows }),
  };
}

function readTrials(text: string): number {
  const trials = Number(text);
  if (Number.isInteger(trials) && trials >= 1 && trials <= 1_000) return trials;
  throw new CommandFailure(`--trials ${text} is not a number from 1 to 1000.`, help, 2);
}

function readModel(text: string): { nodeId?: string; model: string } {
  const at = text.indexOf("=");
  const model = text.slice(at + 1).trim();
  if (model === "") throw new CommandFailure("--model names no model.", help, 2);
  return at < 0 ? { model } : { nodeId: text.slice(0, at).trim(), model };
}

function readReplay(text: string): ReplayMode {
  const mode = replayModes.find((one) => one === text);
  if (mode) return mode;
  throw new CommandFailure(`--replay ${text} is not known. It is ${replayModes.join(", ")}.`, help, 2);
}

function read(argv: readonly string[]) {
  return readOptions(
    argv,
    {
      trials: { type: "string" },
      model: { type: "string" },
      replay: { type: "string" },
      "on-miss": { type: "string" },
      record: { type: "boolean" },
      baseline: { type: "string" },
      out: { type: "string" },
      junit: { type: "string" },
      json: { type: "boolean" },
      fresh: { type: "boolean" },
      credentials: { type: "string" },
      vars: { type: "string" },
      "allow-host": { type: "string", multiple: true },
      knowledge: { type: "string", multiple: true },
      workflows: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
    help,
  );
}
