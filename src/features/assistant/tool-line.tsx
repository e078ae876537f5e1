import { isJsonObject, type Json } from "../../engine/json.ts";
import { toolLabels } from "../../state/assistant/tool-labels.ts";
import { verdictKinds, verdictWords } from "../../state/assistant/verdict.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";

/** A call of one of the assistant's tools. */
export interface StudioCall {
  toolName: string;
  state: "running" | "done" | "failed" | "cut";
  input: Json;
  output: Json;
}

interface ToolLineProps {
  call: StudioCall;
  onStep: (runId: string, step: number) => void;
}

/** What the assistant does, as one line of the conversation; a cause that it has found is a message of its own. */
export function ToolLine({ call, onStep }: ToolLineProps) {
  const { toolName, state } = call;
  const verdict = toolName === "give_verdict" && state === "done" ? verdictOf(call) : undefined;
  if (verdict !== undefined) return <Cause {...verdict} onStep={onStep} />;
  const words = toolLabels[toolName] ?? "";
  return (
    <p className="flex items-center gap-2 text-xs text-muted" data-state={state}>
      {state === "running" ? (
        <Spinner label={words} />
      ) : (
        <Icon name={state === "done" ? "check" : state === "cut" ? "circle-stop" : "circle-x"} size={14} />
      )}
      {words}
      {state === "failed" && ": did not work"}
      {state === "cut" && ": stopped"}
    </p>
  );
}

interface FoundCause {
  words: string;
  explanation: string;
  /** Empty where it is not known any more. */
  runId: string;
  steps: readonly number[];
}

/** Where the cause of a failure lies, with the steps that show it. */
function Cause({ words, explanation, runId, steps, onStep }: FoundCause & Pick<ToolLineProps, "onStep">) {
  return (
    <section aria-label="Cause" className="flex flex-col gap-1 rounded-md border-l-2 border-warning bg-hover px-3 py-2">
      <p className="flex items-center gap-2">
        <span className="font-semibold">Cause</span>
        <Badge>{words}</Badge>
      </p>
      <p className="wrap-anywhere">{explanation}</p>
      {runId !== "" && (
        <div className="flex flex-wrap items-center gap-1">
          <span className="text-xs text-muted">Shown by</span>
          {steps.map((step) => (
            <Button key={step} size="sm" variant="ghost" onClick={() => onStep(runId, step)}>
              Step {step}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function verdictOf({ input, output }: StudioCall): FoundCause | undefined {
  if (!isJsonObject(input)) return undefined;
  const kind = verdictKinds.find((each) => each === input["verdict"]);
  if (kind === undefined) return undefined;
  const run = isJsonObject(output) ? output["run"] : undefined;
  return {
    words: verdictWords[kind],
    explanation: String(input["explanation"] ?? ""),
    runId: typeof run === "string" ? run : "",
    steps: Array.isArray(input["steps"]) ? input["steps"].map(Number) : [],
  };
}
