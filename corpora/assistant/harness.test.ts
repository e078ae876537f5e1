import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../bench/assistant.ts";
import { isSameGraph } from "./inverse-edits.ts";
import { scoreTask } from "./score.ts";
import { ownSeat, scriptedSeat } from "./seats.ts";
import { call, edit } from "./task.ts";
import { buildingTasks } from "./tasks/building.ts";
import { healthyTasks } from "./tasks/healthy.ts";
import { hostileTasks } from "./tasks/hostile.ts";
import { repairTasks } from "./tasks/repairs.ts";

describe("the assistant's bench", () => {
  it("has as many tasks as it says", async () => {
    expect(buildingTasks().length).toBeGreaterThanOrEqual(12);
    expect((await healthyTasks()).length).toBeGreaterThanOrEqual(15);
    expect((await hostileTasks()).length).toBeGreaterThanOrEqual(20);
  });

  it("plays some tasks of each kind through the assistant's own workflow and a vendor's wire", async () => {
    const repairs = await repairTasks({ every: 16 });
    expect(repairs.length).toBeGreaterThan(4);
    const some = [buildingTasks(), repairs, await healthyTasks(), await hostileTasks()].flatMap((tasks) =>
      tasks.slice(0, 4),
    );
    const scores = [];
    for (const task of some) scores.push(await scoreTask(task, scriptedSeat));
    expect(scores.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(scores.some(({ repairs: count }) => count > 0)).toBe(true);
    expect(scores.every(({ tokens, firstRequest }) => tokens > 0 && firstRequest > 0)).toBe(true);
    expect(rowsOf(scores, { proven: 1, tried: 1 }).filter(({ met }) => !met)).toEqual([]);
  });

  it("counts what is wrong: another repair, an edit of a healthy workflow, a verdict that is missing, a crash", async () => {
    const [repair] = await repairTasks({ every: 60 });
    const [, healthy] = await healthyTasks();
    if (!repair || !healthy) throw new Error("There are no tasks.");
    const [run] = healthy.runs;
    const verdict = { run: run?.id ?? "", verdict: "configuration", explanation: "Guessed.", steps: [0] };
    const meddling = [
      call("read_run", { run: run?.id ?? "" }),
      call("give_verdict", verdict),
      edit({ op: "set", node: "agent", config: { maxIterations: 3 } }),
      { say: "Done." },
    ];
    const scores = [
      await scoreTask({ ...repair, script: [{ say: "I cannot see anything." }] }, scriptedSeat),
      await scoreTask({ ...healthy, script: meddling }, scriptedSeat),
      await scoreTask({ ...healthy, script: [{ say: "All is well." }] }, scriptedSeat),
    ];
    expect(scores.map(({ wrong }) => wrong)).toEqual([
      ["Nothing was proposed that can be accepted."],
      ["It proposes a change.", "Its verdict is configuration instead of provider or credential."],
      ["It gives no verdict."],
    ]);
    const missed = rowsOf(scores, { proven: 0, tried: 1 }).filter(({ met }) => !met);
    expect(missed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["broken templates repaired (0 of 1)", "edits of 2 healthy workflows"]),
    );
    expect(isSameGraph(repair.document, repair.repaired)).toBe(false);
    expect(isSameGraph(structuredClone(repair.repaired), repair.repaired)).toBe(true);
  });

  it("takes a model of one's own, and says what is missing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "switchyard-bench-assistant-"));
    try {
      const credentials = join(folder, "keys.json");
      writeFileSync(credentials, JSON.stringify({ openai: { type: "openai", apiKey: "test-key-openai" } }), {
        mode: 0o600,
      });
      const own = { model: "openai:gpt-5-mini", credentials };
      const { seat } = await (await ownSeat(own))(buildingTasks()[0] ?? expect.unreachable());
      expect(seat.node).toEqual({ type: "openai-model", config: { credential: "openai", model: "gpt-5-mini" } });
      await expect(ownSeat({ ...own, model: "gpt-5-mini" })).rejects.toThrow("--model is <provider>:<model>");
      await expect(ownSeat({ ...own, credential: "other" })).rejects.toThrow(
        'The credential "other" is not in the credentials file.',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
