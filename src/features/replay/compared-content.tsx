import { type Message, messageText } from "../../engine/model/message.ts";
import type { ComparedPair, ComparedStep } from "../../engine/run/replay/compare-runs.ts";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { imagesIn } from "../../ui/data/json-view/images-in.ts";
import { JsonDiff } from "../../ui/data/json-view/json-diff.tsx";
import { ResultImages } from "../../ui/data/json-view/result-images.tsx";
import { Picture } from "../../ui/graph/picture.tsx";

/** What two calls that stand for each other contain: only what differs, or all of it where nothing does. */
export function ComparedContent({ left, right, differences }: ComparedPair) {
  const shown = right ?? left;
  return (
    <div className="flex flex-col gap-3 px-4 pb-4">
      {left && right && differences.length > 0 ? (
        <JsonDiff label="What differs, left and right" before={contentOf(left)} after={contentOf(right)} />
      ) : (
        <div className="max-h-80 overflow-auto rounded-md border p-2">
          <JsonTree label="Content of the call" value={contentOf(shown)} openDepth={3} />
        </div>
      )}
      {shown && <Pictures step={shown} other={left} />}
    </div>
  );
}

/** The pictures of a call as pictures; those that only one of two requests has stand in the comparison already. */
function Pictures({ step, other = step }: { step: ComparedStep; other: ComparedStep | undefined }) {
  if (step.kind === "tool") return <ResultImages images={imagesIn(step.end?.output)} />;
  const shared = new Set(other.kind === "model" ? other.request.messages.flatMap(picturesOf) : []);
  const urls = [...new Set(step.request.messages.flatMap(picturesOf))].filter((url) => shared.has(url));
  if (urls.length === 0) return null;
  const title = other === step ? "Pictures in the request" : "Pictures in both requests";
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-xs text-muted">{title}</h3>
      <ul aria-label={title} className="flex flex-wrap gap-2">
        {urls.map((url) => (
          <li key={url} className="flex">
            <Picture url={url} alt="Sent to the model" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function picturesOf(message: Message): string[] {
  return message.role === "user" ? message.parts.flatMap((part) => (part.type === "image" ? [part.url] : [])) : [];
}

/** What of a call is compared, in plain words. */
function contentOf(step: ComparedStep | undefined): unknown {
  if (step === undefined) return null;
  if (step.kind === "tool") {
    return { arguments: step.approval?.input ?? step.start.input, result: step.end?.output ?? null };
  }
  const { request, response, text } = step;
  const pictures = request.messages.flatMap(picturesOf);
  return {
    model: request.model,
    settings: request.settings,
    messages: request.messages.map((message) => `${message.role}: ${messageText(message)}`),
    ...(pictures.length === 0 ? {} : { pictures }),
    answer: response ? messageText(response.message) : text,
    tokens: response?.usage ? { in: response.usage.inputTokens, out: response.usage.outputTokens } : null,
  };
}
