import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { evaluationSchema } from "../src/evaluation/result/evaluation.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { limitRow, time, type Bench } from "./measure.ts";

const script = fileURLToPath(new URL("../cli/evaluate.mjs", import.meta.url));
const run = promisify(execFile);

/** The command, with its result. */
async function evaluate(folder: string, ...args: string[]) {
  const { stdout } = await run(process.execPath, [script, join(folder, "bench.suite.json"), "--json", ...args], {
    maxBuffer: 100_000_000,
  });
  return evaluationSchema.parse(JSON.parse(stdout));
}

/** An agent that calculates: 20 cases with 5 recorded runs each, served again by the command as CI starts it. */
export const evaluateBench: Bench = {
  id: "evaluate",
  title: "Evaluation",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "switchyard-bench-evaluate-"));
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
    try {
      const workflow = buildWorkflow({
        nodes: {
          chat: ["chat-trigger"],
          agent: ["ai-agent"],
          model: ["demo-model", { streaming: false }],
          calculator: ["calculator-tool"],
        },
        edges: ["chat.main -> agent.main", "model.model -> agent.model", "calculator.tool -> agent.tools"],
      });
      const cases = Array.from({ length: 20 }, (_, at) => ({
        id: `case-${at}`,
        input: `What is ${at} * 7?`,
        expected: String(at * 7),
      }));
      write("workflow.json", JSON.stringify(workflow));
      write("cases.jsonl", cases.map((one) => JSON.stringify(one)).join("\n"));
      const defaultAssert = [
        { type: "contains", value: "{{expected}}" },
        { type: "tool-used", value: "calculator" },
      ];
      const suite = {
        workflow: "workflow.json",
        dataset: "cases.jsonl",
        cassettes: "cassettes",
        trials: 5,
        defaultAssert,
      };
      write("bench.suite.json", JSON.stringify(suite));
      await evaluate(folder, "--record");
      let made = 0;
      const took = await time(async () => {
        const { trials, status } = await evaluate(folder, "--replay", "all");
        made = trials.length;
        if (status !== "passed") throw new Error(`The replayed suite is ${status}.`);
      });
      if (made !== 100) throw new Error(`${made} trials were replayed instead of 100.`);
      return [limitRow("npm run evaluate, 100 recorded runs, replay all, start included", took / 1_000, "s", 3)];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
