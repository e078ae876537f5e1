import type { ModelStep } from "../../engine/run/run-state.ts";
import { estimateMessageTokens } from "../../engine/model/estimate-tokens.ts";
import { type MessageOrigin, messageOrigins } from "../../engine/run/message-origins.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { formatTokens } from "../../ui/format-amount.ts";
import { DetailSection } from "./detail-section.tsx";
import { MessageView } from "./message-view.tsx";

const origins: Record<MessageOrigin, { tone: BadgeTone; words: string }> = {
  system: { tone: "neutral", words: "instructions" },
  memory: { tone: "memory", words: "from memory" },
  turn: { tone: "main", words: "this turn" },
};

/** What the model saw: every message of a request, where it came from, and about how many tokens it has. */
export function SentMessages({ request }: Pick<ModelStep, "request">) {
  const { messages } = request;
  const from = messageOrigins(request);
  const tokens = messages.map(estimateMessageTokens);
  const total = tokens.reduce((sum, count) => sum + count, 0);
  const count = `${messages.length} ${messages.length === 1 ? "message" : "messages"}`;
  const remembered = messages.filter((_, index) => from?.[index] === "memory").length;
  return (
    <DetailSection
      title="What the model saw"
      aside={[count, remembered > 0 && `${remembered} from memory`, `≈ ${formatTokens(total)}`]
        .filter(Boolean)
        .join(" · ")}
      copy={() => JSON.stringify(messages, null, 2)}
    >
      <ol className="flex flex-col gap-3">
        {messages.map((message, index) => {
          const origin = from?.[index];
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
