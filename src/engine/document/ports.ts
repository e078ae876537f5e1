import type { Memory } from "../memory/memory.ts";
import type { ToolSet } from "../tool/tool.ts";
import type { Json } from "../json.ts";
import type { ChatModel } from "../model/chat-model.ts";

/** What each kind of edge carries. A new port kind is one line here. */
export interface PortValues {
  main: Json;
  model: ChatModel;
  memory: Memory;
  tool: ToolSet;
}

/** What an edge can carry; it joins equal kinds only. */
export type PortKind = keyof PortValues;

/** The side of the card on which a port is drawn. */
export type PortSide = "left" | "right" | "top" | "bottom";

/** A typed socket on a node: `min` to `max` edges of its kind (`max` null = any number). */
export interface Port<Kind extends PortKind = PortKind> {
  kind: Kind;
  label: string;
  min: number;
  max: number | null;
  side: PortSide;
  /** Few need it: it shows where it is wired or may be wanted. */
  quiet?: boolean;
}

/** The inputs or outputs of a node by name. Names are stored in edges, so they stay. */
export type Ports = Record<string, Port>;

interface PortLook {
  label?: string;
  side?: PortSide;
}

interface ManyLook extends PortLook {
  quiet?: boolean;
}

/** An input that needs exactly one edge; as an output, one that may feed any number of edges use `out`. */
export function one<Kind extends PortKind>(kind: Kind, look: PortLook = {}) {
  return { kind, label: look.label ?? kind, min: 1 as const, max: 1 as const, side: look.side ?? "left" };
}

/** An input that takes no edge or one. */
export function maybe<Kind extends PortKind>(kind: Kind, look: PortLook = {}) {
  return { kind, label: look.label ?? kind, min: 0 as const, max: 1 as const, side: look.side ?? "left" };
}

/** An input or output that takes any number of edges. */
export function many<Kind extends PortKind>(kind: Kind, look: ManyLook = {}) {
  return {
    kind,
    label: look.label ?? kind,
    min: 0 as const,
    max: null,
    side: look.side ?? "left",
    quiet: look.quiet ?? false,
  };
}

/** An output: any number of edges, on the right unless said otherwise. */
export function out<Kind extends PortKind>(kind: Kind, look: ManyLook = {}) {
  return {
    kind,
    label: look.label ?? kind,
    min: 0 as const,
    max: null,
    side: look.side ?? "right",
    quiet: look.quiet ?? false,
  };
}
