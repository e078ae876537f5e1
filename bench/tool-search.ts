import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../cli/headless/command-failure.ts";
import type { ToolDefinition } from "../src/engine/model/chat-model.ts";
import { rankTools } from "../src/engine/tool/search/rank-tools.ts";
import type { Bench, Row } from "./measure.ts";

/** Files of the Berkeley Function-Calling Leaderboard; all functions in them are the tools to choose from. */
const files = [
  "multiple",
  "live_multiple",
  "simple_python",
  "live_simple",
  "parallel",
  "parallel_multiple",
  "live_parallel",
  "live_parallel_multiple",
];

/** The questions that are asked, and how often the right tool has to be among the first. */
const asked = [
  { file: "live_multiple", first: 5, goal: 0.8 },
  { file: "live_multiple", first: 10, goal: 0.86 },
  { file: "multiple", first: 5, goal: 0.95 },
];

interface Case {
  id: string;
  question: { role: string; content: string }[][];
  function: ToolDefinition[];
}

/** Whether tool search finds the right tool by words alone, among more than a thousand of others. */
export const toolSearchBench: Bench = {
  id: "tools",
  title: "Tool search: the right one of many tools by the words of a question",
  onlyWhenNamed: true,
  async run({ folder } = {}) {
    if (folder === undefined)
      throw new CommandFailure(
        "The cases of tool search are missing.",
        "Give the folder with the data of the Berkeley Function-Calling Leaderboard: --cases <folder>.",
      );
    const cases = new Map<string, Case[]>();
    for (const file of files) cases.set(file, await readLines<Case>(join(folder, `BFCL_v4_${file}.json`)));
    const tools = new Map(
      [...cases.values()]
        .flat()
        .flatMap((each) => each.function)
        .map((tool) => [tool.name, tool]),
    );
    const rank = rankTools([...tools.values()]);
    const rows: Row[] = [];
    for (const { file, first, goal } of asked) {
      const answers = await readAnswers(join(folder, "possible_answer", `BFCL_v4_${file}.json`));
      const questions = (cases.get(file) ?? []).filter(({ id }) => answers.has(id));
      const right = questions.filter((each) =>
        rank(questionOf(each), first).some(({ name }) => name === answers.get(each.id)),
      );
      const value = right.length / questions.length;
      rows.push({
        name: `${file}: right tool among the first ${first} of ${tools.size}`,
        value,
        unit: "",
        goal: `≥ ${goal}`,
        met: value >= goal,
      });
    }
    return rows;
  },
};

const questionOf = ({ question }: Case) =>
  (question[0] ?? []).flatMap(({ role, content }) => (role === "user" ? [content] : [])).join("\n");

async function readAnswers(path: string): Promise<Map<string, string>> {
  const lines = await readLines<{ id: string; ground_truth: Record<string, unknown>[] }>(path);
  return new Map(lines.map(({ id, ground_truth: [call = {}] }) => [id, Object.keys(call)[0] ?? ""]));
}

async function readLines<Line>(path: string): Promise<Line[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line);
}
