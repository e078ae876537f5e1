import { expect, test } from "vitest";
import { assistantMessage, type Message, userMessage } from "../../engine/model/message.ts";
import { graphTools, holdsRuns } from "./holds-runs.ts";
import { toolLabels } from "./tool-labels.ts";

const result = (toolName: string): Message => ({
  role: "tool",
  callId: toolName,
  toolName,
  ok: true,
  text: "",
  untrusted: true,
});
const marked: Message = { ...assistantMessage("So."), untrusted: true };
const question = userMessage("Build an agent");

test("S85 an earlier conversation holds runs where one was read, not where the workflow was", () => {
  expect(holdsRuns([question, result("read_workflow"), result("edit_workflow"), marked, question])).toBe(false);
  for (const tool of ["list_runs", "read_run", "read_step", "read_failing_cases", "fetch_page"])
    expect(holdsRuns([question, result("read_workflow"), result(tool), marked]), tool).toBe(true);
  expect(holdsRuns([question, marked, result("read_workflow")])).toBe(true);
  expect(holdsRuns([{ ...question, untrusted: true }])).toBe(true);
});

test("the tools that speak of the workflow are the desk's", () => {
  for (const tool of graphTools) expect(Object.keys(toolLabels)).toContain(tool);
});
