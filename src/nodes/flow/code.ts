import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { RunError } from "../../engine/errors.ts";
import { codeFilesHelp, filesForCode, withMadeFiles } from "./code-files.ts";
import { codeInputs } from "./code-inputs.ts";
import { onErrorField } from "./error-field.ts";

const bytesPerMegabyte = 1_048_576;

const example = `// Counts the words of what comes in.
const text = json?.message ?? json?.response ?? "";
const words = String(text).split(/\\s+/).filter(Boolean);
return { ...json, words: words.length };`;

export const code = defineNode({
  type: "code",
  version: 2,
  role: "flow",
  title: "Code",
  summary: "Runs JavaScript on the data, in a sandbox.",
  keywords: [
    "javascript",
    "function",
    "script",
    "transform",
    "python",
    "js",
    "typescript",
    "date",
    "json",
    "parse",
    "format",
    "convert",
    "sort",
    "regex",
    "csv",
    "xml",
    "html",
    "markdown",
    "excel",
    "spreadsheet",
    "count",
    "random",
    "aggregate",
    "deduplicate",
    "dedupe",
    "debug",
  ],
  section: "data",
  icon: "code",
  config: z.object({
    code: field(z._default(z.string().check(z.maxLength(100_000)), "return json;"), {
      label: "Code",
      help: "JavaScript that returns the output. It has Intl, URL, crypto, timers and files, but no network or modules.",
      control: "code",
      codeNames: { json: "What the node before gives", files: codeFilesHelp },
      codeNamesOf: "inputs",
      codeReturns: "The output: an object, a list, a text, a number, true, false or null",
      codeExample: example,
      required: true,
    }),
    inputs: codeInputs(
      "More values for the code, each by its name, such as {{nodes.ask_user.name}}, {{vars.region}} or all of {{nodes}}.",
    ),
    timeoutMs: field(z._default(z.int().check(z.minimum(10), z.maximum(60_000)), 5_000), {
      label: "Time limit (ms)",
      help: "Code that runs longer is stopped.",
      section: "Limits",
    }),
    memoryMb: field(z._default(z.int().check(z.minimum(1), z.maximum(256)), 32), {
      label: "Memory limit (MB)",
      help: "Code that needs more is stopped.",
      section: "Limits",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [{ to: "code" }],
  migrate({ variables, ...config }, fromVersion) {
    return fromVersion < 2 && variables !== undefined ? { ...config, inputs: variables } : config;
  },
  describe: (config) => (typeof config.code === "string" ? (config.code.trim().split("\n")[0] ?? "") : ""),
  /** What the code returns, with the files in it that it made. */
  async run({ config, json, host, files, signal, log }) {
    const args = { ...config.inputs, json };
    const memoryBytes = config.memoryMb * bytesPerMegabyte;
    const { given } = await filesForCode(config.code, args, memoryBytes, { files, signal });
    const request = { code: config.code, args, timeoutMs: config.timeoutMs, memoryBytes };
    const result = await host.runCode(given ? { ...request, files: given } : request, signal);
    for (const line of result.logs) log("info", line);
    if (result.ok) return await withMadeFiles(result.output, result.made, { files, signal });
    throw new RunError({
      code: "tool_error",
      message: `The code failed: ${result.error}`,
      hint: "Correct the code. Lines written with console.log are in the log.",
    });
  },
});
