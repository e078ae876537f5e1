import { randomUUID } from "node:crypto";
import { buildWorkflow } from "../../src/engine/testing/build-workflow.ts";
import { makeApiKey } from "../../supabase/functions/doors/testing/api-keys.ts";
import { startWorkerWorld, type WorkerWorld } from "../../worker/testing/worker-world.ts";
import { limitRow, median, type Row, time } from "../measure.ts";

const megabyte = 1024 * 1024;
const rounds = 5;

/** What large inputs of doors cost: those that are refused against a small one that is served, and a webhook's stored bytes. */
export async function measureLargeInputs(): Promise<Row[]> {
  const world = await startWorkerWorld();
  try {
    const { key } = await makeApiKey(world.user, ["run:*"]);
    const post = (path: string, body: string) =>
      fetch(`${world.stack.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, prefer: "respond-async", "content-type": "application/json" },
        body,
      });
    await world.publish(workflow("plain", "manual-trigger"));
    await world.publish(workflow("talks", "chat-trigger"));
    await world.publish(workflow("tight", "manual-trigger"), { senderPerDay: 1 });
    const hook = await world.publish(workflow("hook", "webhook-trigger"));
    await world.user.client.rpc("studio_save_door", {
      p_workflow_id: hook,
      p_kind: "hook",
      p_enabled: true,
      p_config: { scheme: "none" },
      p_secrets: null,
    });
    await post("/api/run/tight", "{}");

    let resets = 0;
    const timed = async (path: string, body: string, status: number): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        times.push(
          await time(async () => {
            const answer = await post(path, body).catch(() => null);
            if (answer?.status !== status) resets += 1;
            await answer?.text();
          }),
        );
      }
      return median(times);
    };
    const text = (bytes: number) => JSON.stringify({ message: "x".repeat(bytes) });
    const served = await timed("/api/run/plain", "{}", 202);
    const idle = () =>
      world.eventually(async () => {
        const open = await world.stack.sql("select 1 from public.studio_runs where status in ('queued', 'running')");
        return open.length === 0 ? true : undefined;
      });
    await idle();
    const before = await storedBytes(world);
    const refused = [
      limitRow(
        "an input of 15 MB refused at its size",
        await timed("/api/run/plain", text(15 * megabyte), 413),
        "ms",
        1_500,
      ),
      limitRow(
        "the same where files may come with it",
        await timed("/api/run/talks", text(15 * megabyte), 413),
        "ms",
        2_000,
      ),
      limitRow("one beyond a sender's share", await timed("/api/run/tight", "{}", 429), "ms", served),
    ];
    const kept = (await storedBytes(world)) - before;
    const webhook = await timed("/hooks/hook", JSON.stringify("x".repeat(megabyte - 10)), 202);
    await idle();
    const stored = ((await storedBytes(world)) - before - kept) / rounds / megabyte;
    return [
      ...refused,
      limitRow("stored of what was refused", kept, "bytes", 0),
      limitRow("large requests whose answer was not read", resets, "requests", 0),
      limitRow("a webhook of 1 MB", webhook, "ms", 2_000),
      limitRow("stored of a webhook of 1 MB", stored, "MB", 3.5),
    ];
  } finally {
    await world.stop();
  }
}

function workflow(name: string, trigger: string) {
  return buildWorkflow({ id: randomUUID(), name, nodes: { start: [trigger] }, edges: [] });
}

async function storedBytes({ stack, user }: WorkerWorld): Promise<number> {
  const [row] = await stack.sql<{ bytes: string }>("select bytes from private.studio_usage where owner = $1", [
    user.userId,
  ]);
  return Number(row?.bytes ?? 0);
}
