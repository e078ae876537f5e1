import type { FileValue } from "../../engine/file/file.ts";
import { type AssistantMessage, generatedFiles } from "../../engine/model/message.ts";
import type { ChatPart } from "./chat-part.ts";

/** What one agent said in a run, in the order in which it came. */
export interface Speech {
  id: string;
  nodeId: string;
  title?: string | undefined;
  item?: number | undefined;
  parts: ChatPart[];
}

/** What is known of a run: its own answer, empty where there is none, and whether one of its agents gave it. */
interface RunAnswer {
  answer: string;
  isOver: boolean;
  isOfAgent?: boolean;
}

/**
 * The pieces of an answer. One agent's stand as they are; those of several stand under their names. Once the run is over, its own
 * answer is the last, and what other agents said are drafts of it.
 */
export function answerParts(speeches: readonly Speech[], { answer, isOver, isOfAgent = false }: RunAnswer): ChatPart[] {
  const isAnswer = ({ parts }: Speech) =>
    parts.some((part) => part.kind === "text" && part.text.trim() === answer.trim());
  const last = answer === "" ? speeches.at(-1) : speeches.findLast(isAnswer);
  const output: ChatPart[] =
    answer === "" || last ? [] : [{ kind: "text", id: "output", text: answer, streaming: false }];
  const agents = speeches.length + Number(isOfAgent && output.length > 0);
  if (agents <= 1) return [...speeches.flatMap(({ parts }) => parts), ...output];
  const ordered = isOver && last ? [...speeches.filter((speech) => speech !== last), last] : speeches;
  const named = ordered.map((speech): ChatPart => ({ kind: "agent", isDraft: isOver && speech !== last, ...speech }));
  return [...named, ...output];
}

/** The texts of an answer, without those of drafts. */
export function textsOf(parts: readonly ChatPart[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === "agent") return part.isDraft ? [] : textsOf(part.parts);
    return part.kind === "text" ? [part.text] : [];
  });
}

/** The same of the files. */
export function filesOf(parts: readonly ChatPart[]): FileValue[] {
  return parts.flatMap((part) => {
    if (part.kind === "agent") return part.isDraft ? [] : filesOf(part.parts);
    return part.kind === "files" ? part.files : [];
  });
}

/** What a model made besides its words. Messages from before pictures were files have them as URLs. */
export function picturesOf(message: AssistantMessage, id: string): ChatPart[] {
  const pictures = message.parts.filter((part) => part.type === "image");
  const files = generatedFiles(message);
  return [
    ...pictures.map(({ url }, index): ChatPart => ({ kind: "picture", id: `${id}-picture-${index}`, url })),
    ...(files.length > 0 ? [{ kind: "files" as const, id: `${id}-files`, files }] : []),
  ];
}
