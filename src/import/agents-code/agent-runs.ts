import { agentOf, type AgentCode, type Program, resolved } from "./program.ts";
import { bare, child, children, elementsOf, pathOf, type Syntax, walk } from "./syntax.ts";

/** The agent that a call runs: `run(agent, …)`, `runner.run(agent, …)`, `Runner.run(agent, …)`. */
export function agentRunBy(program: Program, call: Syntax): AgentCode | undefined {
  if (pathOf(child(call, "callee")).at(-1) !== "run") return undefined;
  return agentOf(program, children(call, "arguments")[0]);
}

/** Whether code runs an agent, besides the code of the agents themselves. */
export function runsAgent(program: Program, root: Syntax): boolean {
  let found = false;
  walk(root, (node) => {
    if (program.agents.some((agent) => agent.node === node)) return false;
    if (node.type === "CallExpression" && agentRunBy(program, node)) found = true;
    return !found;
  });
  return found;
}

/** The function that runs agents and is no part of an agent or a tool; the one that the Agent Builder writes, if there. */
export function entryOf(program: Program): Syntax | undefined {
  const named = program.values.get("runWorkflow") ?? program.functions.get("runWorkflow");
  if (named) return bare(named);
  const main = ["main", "run", "handler", "start"].map(
    (name) => program.functions.get(name) ?? program.values.get(name),
  );
  const functions = [...main, ...program.functions.values(), ...program.values.values()];
  return functions.map(bare).find((one) => one && /Function/.test(one.type) && runsAgent(program, one));
}

/** Agents that no other one hands over to or has as a tool. */
export function unusedAgents(program: Program): AgentCode[] {
  const used = new Set<AgentCode>();
  for (const agent of program.agents) {
    for (const key of ["handoffs", "tools"]) {
      for (const one of elementsOf(resolved(program, agent.settings.get(key)))) {
        const target = agentOf(program, one) ?? agentOf(program, children(bare(one), "arguments")[0]);
        const owner = agentOf(program, child(bare(child(bare(one), "callee")), "object"));
        for (const each of [target, owner]) if (each && each !== agent) used.add(each);
      }
    }
  }
  return program.agents.filter((one) => !used.has(one));
}
