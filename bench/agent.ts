import { buildForBench } from "./build-for-bench.ts";
import { compare, ratioRow, type Bench, type Row } from "./measure.ts";
import { startVendorServer } from "./vendor-server.ts";

/** A whole agent run, events included, against a bare streaming loop on the same server. */
export const agentBench: Bench = {
  id: "agent",
  title: "Agent against a bare `openai` loop",
  async run() {
    const built = await buildForBench<typeof import("./agent-turns.ts")>("agent-turns.ts");
    const server = await startVendorServer();
    try {
      const rows: Row[] = [];
      for (const calls of [0, 1, 5, 10]) {
        const { ours, bare } = built.module.agentTurns(server.url, calls);
        const measured = await compare(ours, bare, { turns: 150, warmUp: 50 });
        rows.push(ratioRow(`agent run with ${calls} tool call${calls === 1 ? "" : "s"}`, measured, 1.3));
      }
      return rows;
    } finally {
      await server.close();
      await built.remove();
    }
  },
};
