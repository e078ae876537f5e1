import { useEffect, useMemo, useRef, useState } from "react";
import type { ModelStep } from "../../engine/run/run-state.ts";
import { estimateMessageTokens } from "../../engine/model/estimate-tokens.ts";
import { type MessageOrigin, messageOrigins } from "../../engine/run/message-origins.ts";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { DetailSection } from "./detail-section.tsx";
import { MessageView } from "./message-view.tsx";

const origins: Record<MessageOrigin, { tone: BadgeTone; words: string }> = {
  system: { tone: "neutral", words: "instructions" },
  memory: { tone: "memory", words: "from memory" },
  turn: { tone: "main", words: "this turn" },
};

/** Messages shown at first; the last request of a thousand tool calls has two thousand. */
const mostMessages = 40;

/** What the model saw: every message of a request, where it came from, and about how many tokens it has. */
export function SentMessages({ request }: Pick<ModelStep, "request">) {
  const { messages } = request;
  const [most, setMost] = useState(mostMessages);
  const from = useMemo(() => messageOrigins(request), [request]);
  const tokens = useMemo(() => messages.map(estimateMessageTokens), [messages]);
  const total = tokens.reduce((sum, count) => sum + count, 0);
  // The instructions and the latest messages say most; what lies between is shown on request.
  const hidden = messages.length > most ? { from: 1, to: messages.length - most + 1 } : null;
  const count = `${messages.length} ${messages.length === 1 ? "message" : "messages"}`;
  const section = useRef<HTMLElement>(null);
  const isWanted = usePanelStore((state) => state.atSent);
  useEffect(() => {
    if (!isWanted) return;
    section.current?.scrollIntoView({ block: "start" });
    section.current?.focus({ preventScroll: true });
  }, [isWanted]);
  const remembered = messages.filter((_, index) => from?.[index] === "memory").length;
  return (
    <DetailSection
      section={section}
      title="What the model saw"
      aside={[count, remembered > 0 && `${remembered} from memory`, `≈ ${formatTokens(total)}`]
        .filter(Boolean)
        .join(" · ")}
      copy={() => JSON.stringify(messages, null, 2)}
    >
      <ol className="flex flex-col gap-3">
        {messages.map((message, index) => {
          const origin = from?.[index];
          if (hidden && index > hidden.from && index < hidden.to) return null;
          if (hidden && index === hidden.from) {
            const count = hidden.to - hidden.from;
            return (
              <li key="hidden">
                <Button size="sm" variant="ghost" onClick={() => setMost(most + mostMessages * 4)}>
                  Show {Math.min(count, mostMessages * 4)} of {count} messages between
                </Button>
              </li>
            );
          }
          return (
            <li key={index}>
              <MessageView
                message={message}
                labelled
                aside={
                  <>
                    {origin && <Badge tone={origins[origin].tone}>{origins[origin].words}</Badge>}
                    <span className="text-xs text-muted numeric" title="An estimate: about four characters a token">
                      ≈ {formatTokens(tokens[index] ?? 0)}
                    </span>
                  </>
                }
              />
            </li>
          );
        })}
      </ol>
    </DetailSection>
  );
}
