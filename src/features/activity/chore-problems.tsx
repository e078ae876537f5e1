import { useQuery } from "@tanstack/react-query";
import { useServices } from "../../services/services-context.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { relativeTime } from "../../ui/text/relative-time.ts";
import { useNow } from "../../ui/text/use-now.ts";

/** What the studio could not do for the account by itself, with the reason; nothing where all went well. */
export function ChoreProblems() {
  const { activity } = useServices();
  const now = useNow();
  const problems = useQuery({ queryKey: ["activity", "problems"], queryFn: () => activity.problems() });
  if (problems.data === undefined || problems.data.length === 0) return null;
  return (
    <ul aria-label="Problems" className="mb-4 flex flex-col gap-2">
      {problems.data.map(({ chore, problem, since }) => (
        <li key={chore}>
          <Notice tone="warning" title={titles[chore] ?? "A background task failed"}>
            {/[.!?]$/.test(problem) ? problem : `${problem}.`} It is retried automatically. First failed{" "}
            {relativeTime(Date.parse(since), now)}.
          </Notice>
        </li>
      ))}
    </ul>
  );
}

/** By the chore's name in the database. */
const titles: Readonly<Record<string, string>> = {
  schedules: "Some scheduled runs could not start",
  waits: "Some waits could not end",
  "lost-runs": "Some interrupted runs could not be ended",
  claims: "Some queued runs could not start",
  queue: "The queue could not be checked",
  retention: "Old data could not be deleted",
  notices: "Failure notices could not be sent",
  traces: "Traces could not be sent",
  sources: "Sources of collections could not be reloaded",
};
