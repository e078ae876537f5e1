import { expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { identityProblems } from "../../engine/run/identity-problems.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState } from "../../engine/run/run-state.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const workflow = (session: JsonObject, agent: JsonObject = {}) =>
  buildWorkflow({
    id: "w1",
    nodes: {
      start: ["manual-trigger"],
      agent: ["ai-agent", agent],
      model: ["demo-model"],
      memory: ["window-memory", session],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "memory.memory -> agent.memory"],
  });

async function problemsAfter(input: JsonObject, session: JsonObject, agent: JsonObject = {}) {
  const document = workflow(session, agent);
  const { events } = await runToEnd(document, { registry: nodeRegistry, host: testHost(), input });
  const state = reduceRunAll(emptyRunState(events[0]?.runId ?? ""), events);
  return identityProblems(document, nodeRegistry, state, 0);
}

it("S39 names the node whose session has no value in the data of the last run", async () => {
  const found = await problemsAfter({ message: "Hi", user: "ann" }, { sessionId: "user-{{json.userId}}" });
  expect(found).toMatchObject([
    {
      nodeId: "memory",
      field: "sessionId",
      severity: "warning",
      hint: expect.stringContaining('Did you mean "user"?'),
    },
  ]);
  expect(found[0]?.message).toContain('"json.userId" does not exist.');
  const own = await problemsAfter({ message: "Hi", user: null }, {}, { sessionId: "{{json.user}}" });
  expect(own).toMatchObject([{ nodeId: "agent", message: expect.stringContaining('"json.user" is null') }]);
});

it("says nothing of a session that has a value, of the default, or without a run", async () => {
  expect(await problemsAfter({ message: "Hi", userId: 7 }, { sessionId: "user-{{json.userId}}" })).toEqual([]);
  expect(await problemsAfter({ message: "Hi" }, {})).toEqual([]);
  const document = workflow({ sessionId: "user-{{json.userId}}" });
  expect(identityProblems(document, nodeRegistry, emptyRunState("r"), 0)).toEqual([]);
});
