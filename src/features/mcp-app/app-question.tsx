import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useSettled } from "../../ui/buttons/use-settled.ts";

/** What an interface wants done in the person's name. */
export interface Question {
  kind: "message" | "link";
  text: string;
}

const words = {
  message: { title: "The interface wants to send this message as you", go: "Send", stay: "Don't send" },
  link: { title: "The interface wants to open this address in a new tab", go: "Open", stay: "Don't open" },
} as const;

interface AppQuestionProps {
  question: Question;
  /** Of the frame above it, in pixels. */
  height: number;
  onAnswer(yes: boolean): void;
}

/** Asks the person, with the whole text in view: what is not seen in it is shown as well. */
export function AppQuestion({ question, height, onAnswer }: AppQuestionProps) {
  const { title, go, stay } = words[question.kind];
  const isMoving = !useSettled(`${height} ${question.kind} ${question.text}`);
  return (
    <section role="alertdialog" aria-label={title} className="flex flex-col gap-2 border-t bg-warning-soft p-2">
      <p className="text-sm font-medium">{title}</p>
      <p className="max-h-40 overflow-auto rounded-md bg-surface p-2 text-sm whitespace-pre-wrap wrap-anywhere">
        {showHidden(question.text)}
      </p>
      <div className="flex gap-2">
        <Button size="sm" disabled={isMoving} onClick={() => onAnswer(true)}>
          {go}
        </Button>
        <Button size="sm" variant="ghost" disabled={isMoving} onClick={() => onAnswer(false)}>
          {stay}
        </Button>
      </div>
    </section>
  );
}

const maxMessageLength = 10_000;

/** The message as it may be sent; undefined where it is empty or too long to be read. */
export function messageToSend(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" || trimmed.length > maxMessageLength ? undefined : trimmed;
}

/** The address of a page that may be opened: of the web, and without a name or password in it. */
export function linkToOpen(url: string): string | undefined {
  const parsed = url.length <= 4_000 ? URL.parse(url) : null;
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return undefined;
  return parsed.username === "" && parsed.password === "" ? parsed.href : undefined;
}
