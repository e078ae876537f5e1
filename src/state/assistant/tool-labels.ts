/** What each tool of the assistant does, in words of the conversation. */
export const toolLabels: Readonly<Record<string, string>> = {
  read_workflow: "Reading the workflow",
  search_node_types: "Looking for nodes",
  read_node_type: "Reading about a node",
  edit_workflow: "Proposing changes",
  list_runs: "Looking at the latest runs",
  read_run: "Reading the run",
  read_step: "Reading a step",
  give_verdict: "Finding the cause",
  read_failing_cases: "Reading the failing cases",
};
