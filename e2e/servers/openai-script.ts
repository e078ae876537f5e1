import { refuseReply, sayReply, type OfferedTool, type Reply, type Turn } from "./openai-reply.ts";

/** What the script looks at: the conversation, the tools on offer, and how often this very message came before. */
interface ScriptInput {
  turns: Turn[];
  tools: OfferedTool[];
  attempt: number;
  authorization: string;
}

/**
 * Decides by the last user message. Commands in brackets first: `[401]`, `[500]`, `[429]` (twice, then an answer),
 * `[429 always]`, `[context]`, `[quota]`, `[cut]`, `[malformed]`, `[stream error]`, `[slow]`, `[length]`, `[filter]`,
 * `[refuse]`, `[think]`, `[web]`, `[loop]` (calls the first tool for ever), `[bad arguments]`, `[unknown tool]`, `[echo key]`. Else arithmetic
 * calls a calculator and a URL an HTTP tool, both in one turn when both are there; a follow-up quotes what was asked
 * before; anything else is echoed.
 */
export function scriptedReply(input: ScriptInput): Reply {
  const { turns, tools } = input;
  const lastUser = turns.findLastIndex((turn) => turn.role === "user");
  const text = turns[lastUser]?.text ?? "";
  const results = turns.slice(lastUser + 1).filter((turn) => turn.role === "tool");
  return (
    commanded(text, results.length, input) ?? (results.length > 0 ? afterTools(results) : plain(text, turns, tools))
  );
}

function commanded(text: string, results: number, { tools, attempt, authorization }: ScriptInput): Reply | undefined {
  const command = /\[([a-z0-9 ]+)\]/.exec(text)?.[1];
  const first = tools[0];
  switch (command) {
    case "400":
    case "401":
    case "404":
    case "500":
    case "503":
      return refuseReply(Number(command));
    case "429":
      return attempt <= 2 ? refuseReply(429, {}, { "retry-after": "1" }) : undefined;
    case "429 always":
      return refuseReply(429, {}, { "retry-after": "1" });
    case "quota":
      return refuseReply(429, {
        message: "You exceeded your current quota.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      });
    case "context":
      return refuseReply(400, {
        message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        code: "context_length_exceeded",
      });
    case "echo key":
      return refuseReply(401, { message: `Incorrect API key provided: ${authorization}` });
    case "cut":
      return { ...sayReply("This answer breaks off in the middle of"), ending: "cut" };
    case "malformed":
      return { ...sayReply("After this comes something broken"), ending: "malformed" };
    case "stream error":
      return { ...sayReply("After this comes an error"), ending: "error" };
    case "slow":
      return { ...sayReply(`This answer takes its time. ${"word ".repeat(600).trim()}`), delayMs: 100 };
    case "length":
      return sayReply("This answer is too", { finish: "length" });
    case "filter":
      return sayReply("", { finish: "content_filter" });
    case "refuse":
      return sayReply("", { refusal: "I cannot help with that." });
    case "think":
      return sayReply("Thought about it.", { reasoning: "First this, then that." });
    case "web":
      return sayReply("The sky is blue.", {
        pages: [
          { title: "Why the sky is blue", url: "https://example.com/sky" },
          { title: "Light", url: "https://example.org/light" },
        ],
      });
    case "loop":
      return first ? sayReply("", { calls: [{ name: first.name, arguments: filled(first, "1 + 1") }] }) : undefined;
    case "bad arguments":
      return first && results === 0
        ? sayReply("", { calls: [{ name: first.name, arguments: '{"expression": ' }] })
        : undefined;
    case "unknown tool":
      return results === 0 ? sayReply("", { calls: [{ name: "no_such_tool", arguments: "{}" }] }) : undefined;
    default:
      return undefined;
  }
}

function afterTools(results: Turn[]): Reply {
  return sayReply(`Here is what I found: ${results.map((result) => result.text).join(" · ")}`);
}

function plain(text: string, turns: Turn[], tools: OfferedTool[]): Reply {
  const url = /https?:\/\/[^\s"'<>)\]]+/.exec(text)?.[0].replace(/[.,;!?]+$/, "");
  const arithmetic = arithmeticIn(text.replace(/https?:\/\/\S+/g, " "));
  const calls = [
    ...(arithmetic ? callsOf(tools, /calc/i, arithmetic) : []),
    ...(url ? callsOf(tools, /http|fetch|request|web/i, url) : []),
  ];
  if (calls.length > 0) return sayReply("", { calls });
  const earlier = turns.filter((turn) => turn.role === "user").slice(0, -1);
  if (earlier.length > 0 && /\b(before|earlier|remember|first|previous|last)\b/i.test(text)) {
    return sayReply(`Earlier you asked: ${earlier.map((turn) => `"${turn.text}"`).join(", ")}`);
  }
  return sayReply(`You said: "${text}"`);
}

function callsOf(tools: OfferedTool[], fits: RegExp, value: string): { name: string; arguments: string }[] {
  const tool = tools.find((candidate) => fits.test(candidate.name));
  return tool ? [{ name: tool.name, arguments: filled(tool, value) }] : [];
}

/** Numbers joined by at least one operator. */
function arithmeticIn(text: string): string | undefined {
  const found = /[-(\d][\d\s.()+\-*/^%×÷]*[+\-*/^%×÷][\d\s.()+\-*/^%×÷]*[\d)]/.exec(text)?.[0];
  return found?.replaceAll("×", "*").replaceAll("÷", "/").trim();
}

/** Arguments that fit the tool's schema: the first text parameter gets the value, a method is GET, the rest stays out unless required. */
function filled(tool: OfferedTool, value: string): string {
  const { properties, required } = tool.parameters;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const main = names.find((name) => /^(url|expression|query|input|message)$/.test(name)) ?? names[0];
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string" && name !== main) : [];
  const rest = needed.map((name) => [name, name === "method" ? "GET" : value]);
  return JSON.stringify({ ...(main ? { [main]: value } : {}), ...Object.fromEntries(rest) });
}
