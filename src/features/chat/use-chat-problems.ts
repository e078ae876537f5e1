import { useEffect, useState } from "react";
import { useEditor } from "../../state/editor/editor-context.tsx";
import type { Problem, ProblemState } from "../../state/document/problem-store.ts";
import { inputOf } from "./chat-message.ts";

const none: readonly Problem[] = [];
const sample = { text: "Hello", images: [] };

/** Changes when an error comes or goes, and not with every edit. */
function errorsOf({ problems }: ProblemState): string {
  return JSON.stringify(problems.filter(({ severity }) => severity === "error"));
}

/** What would keep a run of a chat message from starting, such as a tool without its credential. */
export function useChatProblems(sessionId: string): readonly Problem[] {
  const { problems: checks } = useEditor();
  const [found, setFound] = useState(none);
  useEffect(() => {
    let errors: string | undefined;
    const check = () => {
      const current = errorsOf(checks.getState());
      if (current === errors) return;
      // Noted first: the check refreshes the problems, which asks again.
      errors = current;
      setFound(checks.checkRun(inputOf(sample, sessionId)) ?? none);
    };
    const timer = setTimeout(check);
    const stop = checks.subscribe(check);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [checks, sessionId]);
  return found;
}
