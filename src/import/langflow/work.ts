import type { Json } from "../../engine/json.ts";
import { type Bench, outputOf, plainText } from "../flow/bench.ts";
import type { FlowNode } from "../flow/flow-graph.ts";
import { textOf } from "./read-langflow.ts";

/** Outputs that hand out a service instead of a value. */
export const modelOutput = /^(model_output|language_?model|model)$/i;
export const isModel = (type: string) =>
  /Model(Component)?$|^LanguageModel|^OpenRouter|^Chat(OpenAI|Anthropic|Ollama)/.test(type) && !/Embedding/i.test(type);
export const isEmbedding = /embedding|^SplitText|TextSplitter|^File$|^Directory|^URLLoader|DocumentLoader/i;
export const isStore =
  /^(AstraDB|Chroma|Pinecone|Qdrant|FAISS|Weaviate|Milvus|pgvector|PGVector|Supabase|Redis|MongoDB|Cassandra|Elasticsearch|Opensearch|HCD|Vectara|Upstash|Couchbase|Clickhouse|LocalDB|KnowledgeRetrieval|KnowledgeBase|KBRetrieval|Knowledge$)/i;

/** Runs what follows once for each item of a list, which its first node hands out. */
export const isListLoop = (type: string) => type === "LoopComponent";
export const loopItem = "LoopItem";

/** Changes data as a text says, by a model. */
export const isSmart = /^(LambdaFilter|Smart ?(Function|Transform))/i;
/** Hands a text on, cut, joined or under another name. */
export const isPassing =
  /^(Pars(e|er)|CombineText|DataToMessage|TypeConverter|MessageToData|CreateData|Pass|OutputParser|StoreMessage)/i;

/** Components that go by several names, by the one that is known here. */
export function webName(type: string): string {
  if (type === "URL") return "URLComponent";
  return /^(Unified)?WebSearch/.test(type) ? "DuckDuckGoSearchComponent" : type;
}

/** A component with what is wired to it, and its fields as texts and expressions. */
export class LangflowWork {
  readonly node: FlowNode;
  readonly bench: Bench;

  constructor(node: FlowNode, bench: Bench) {
    this.node = node;
    this.bench = bench;
  }

  /** What is wired to a field. */
  wired(field: string): FlowNode[] {
    return this.bench.graph.edges
      .filter(({ to, toHandle, added }) => to === this.node.id && toHandle === field && !added)
      .flatMap(({ from }) => this.bench.nodes.get(from) ?? []);
  }

  leaves(output: RegExp): boolean {
    return this.bench.graph.edges.some(({ from, fromHandle }) => from === this.node.id && output.test(fromHandle));
  }

  /** Whether an agent calls it. */
  get isTool(): boolean {
    return this.bench.graph.edges.some(({ from, toHandle }) => from === this.node.id && /^tools?$/.test(toHandle));
  }

  /** CEL of a field: what is wired to it, or its own value. */
  cel(field: string, depth = 0): string | undefined {
    const [source] = this.wired(field);
    if (!source) return undefined;
    if (source.type === "ConditionalRouter" && depth < 20) {
      const inner = new LangflowWork(source, this.bench);
      return inner.cel("message", depth + 1) ?? inner.cel("input_text", depth + 1);
    }
    this.bench.notes.expression(this.node.name, field, "cel");
    const key = source.type === "ChatInput" || source.type === "TextInput" ? "message" : outputKey(source.type);
    const read = outputOf(this.bench, source.id, key === "" ? [] : [key]);
    return read && `${read.code}.orValue(null)`;
  }

  /** The message that starts the flow, as a template: what is before the component may be something else. */
  message(): string {
    const start = this.bench.graph.nodes.find(({ type }) => type === "ChatInput");
    const read = start && outputOf(this.bench, start.id, ["message"]);
    return read ? `{{${read.code}.orValue(null)}}` : "{{json.message}}";
  }

  text(field: string): string {
    const cel = this.cel(field);
    const own = this.node.data[field];
    return cel === undefined ? plainText(textOf(Array.isArray(own) ? own[0] : own)) : `{{${cel}}}`;
  }

  /** A prompt with `{name}` for fields of its own. */
  prompt(raw: Json | undefined): string {
    return textOf(raw)
      .split(/((?<!\{)\{[A-Za-z_]\w{0,60}\}(?!\}))/)
      .map((part, index) => (index % 2 === 0 ? plainText(part) : this.text(part.slice(1, -1))))
      .join("");
  }
}

function outputKey(type: string): string {
  if (
    type.endsWith("Agent") ||
    isModel(type) ||
    type === "StructuredOutput" ||
    type === "ChatOutput" ||
    type === "TextOutput"
  )
    return "response";
  if (type === loopItem) return "item";
  if (isListLoop(type)) return "done";
  if (isStore.test(type)) return "";
  if (isSmart.test(type)) return "response";
  return /^APIRequest|Search|Wikipedia|^URL|^RSS/.test(type) ? "body" : "text";
}
