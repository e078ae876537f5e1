/** What, where it is, and until when. */
const kept: readonly { what: string; where: string; until: string }[] = [
  {
    what: "Workflows and their versions",
    where: "Database",
    until:
      "Until you delete the workflow, and then for 30 days in the trash. Versions: see Version history. Not masked: prompts, variables and pinned data stand there as you entered them.",
  },
  {
    what: "Runs: input, output, every model request and answer, tool arguments and results, logs, the workflow as it was",
    where: "Database",
    until:
      "As long as set above, or until you delete them. What a workflow's Privacy masks is stored in no run, neither in its steps and logs nor in the workflow kept with it: replaying it and running on from it use the masked text.",
  },
  {
    what: "Conversations in window, summary and vector memories, and what agents remember",
    where: "Database",
    until:
      "Until you clear them in the Memory panel, or as the memory node's retention and the days set above say. Not masked, since the agent needs them, unless the workflow's Privacy says to mask what memory stores.",
  },
  {
    what: "Conversations in buffer memories kept in the tab",
    where: "This browser tab",
    until: "Until the tab is closed or reloaded.",
  },
  {
    what: "Conversations in Redis memories",
    where: "Your Redis server",
    until: "As long as the memory node says. Masked as the others.",
  },
  {
    what: "Recipients and addresses that you approved or always allow for a tool",
    where: "Database",
    until:
      "Allowed: until you revoke them above or delete the workflow. Only approved: 90 days after the last time. What a workflow's Privacy settings mask is never saved here.",
  },
  { what: "Documents of knowledge collections", where: "Database", until: "Until you delete them." },
  {
    what: "Credentials",
    where: "Database, encrypted",
    until: "Until you delete them. Secrets never come back to the browser and are in no run, log or export.",
  },
  {
    what: "Edits that are not saved yet, breakpoints, the theme, sizes of panels",
    where: "This browser",
    until: "Until they are saved or changed, or you clear the site's data.",
  },
];

/** The one place that says what is stored and for how long. */
export function StoredData() {
  return (
    <ul aria-label="What is stored" className="flex flex-col divide-y rounded-md border">
      {kept.map(({ what, where, until }) => (
        <li key={what} className="grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[1fr_1fr]">
          <div>
            <p className="font-medium">{what}</p>
            <p className="text-xs text-muted">{where}</p>
          </div>
          <p className="text-muted">{until}</p>
        </li>
      ))}
    </ul>
  );
}
