import { maxInputMb, usualDoorLimits } from "../../../doors/door-limits.ts";
import type { PublicationLimits } from "../../../services/services.ts";

/** One limit as the form asks for it. */
interface LimitField {
  name: keyof PublicationLimits;
  label: string;
  help: string;
  /** Whole numbers only; otherwise US dollars or megabytes. */
  whole: boolean;
  /** What holds where the field is empty; absent: no limit. */
  usual?: number;
  most?: number;
}

/** Every limit, in the order of the form. */
export const limitFields: readonly LimitField[] = [
  { name: "concurrent", label: "Runs at the same time", help: "More wait in the queue.", whole: true },
  { name: "perMinute", label: "Starts per minute", help: "More wait in the queue.", whole: true },
  { name: "timeoutSeconds", label: "Time limit (s)", help: "A run that takes longer fails.", whole: true },
  { name: "runUsd", label: "US$ per run", help: "A run that would exceed it fails.", whole: false },
  { name: "dayUsd", label: "US$ per day", help: "All its runs together, per UTC day.", whole: false },
  { name: "monthUsd", label: "US$ per month", help: "All its runs together, per UTC month.", whole: false },
  {
    name: "inputMb",
    label: "Input (MB)",
    help: `Of one request, without attached pictures and files. At most ${maxInputMb}.`,
    whole: false,
    usual: usualDoorLimits.inputMb,
    most: maxInputMb,
  },
  {
    name: "senderPerDay",
    label: "Starts per sender and day",
    help: "By one API key, or from one network to the webhook.",
    whole: true,
    usual: usualDoorLimits.senderPerDay,
  },
  {
    name: "senderMbPerDay",
    label: "MB per sender and day",
    help: "Of what one API key or network sends, to all workflows.",
    whole: false,
    usual: usualDoorLimits.senderMbPerDay,
  },
];

/** What a person typed for each limit; empty for none. */
export type LimitTexts = Record<keyof PublicationLimits, string>;

export function limitTexts(limits: PublicationLimits): LimitTexts {
  const text = (name: keyof PublicationLimits) => String(limits[name] ?? "");
  return {
    concurrent: text("concurrent"),
    perMinute: text("perMinute"),
    timeoutSeconds: text("timeoutSeconds"),
    runUsd: text("runUsd"),
    dayUsd: text("dayUsd"),
    monthUsd: text("monthUsd"),
    inputMb: text("inputMb"),
    senderPerDay: text("senderPerDay"),
    senderMbPerDay: text("senderMbPerDay"),
  };
}

/** The limits that the texts say, and what is wrong with those that say none. */
export function readLimits(texts: LimitTexts): {
  limits: PublicationLimits;
  problems: Partial<Record<keyof PublicationLimits, string>>;
} {
  const limits: PublicationLimits = {};
  const problems: Partial<Record<keyof PublicationLimits, string>> = {};
  for (const { name, whole, most } of limitFields) {
    const text = texts[name].trim();
    if (text === "") continue;
    const value = Number(text);
    if (!Number.isFinite(value) || value <= 0) problems[name] = "Use a number above zero, or leave it empty.";
    else if (whole && !Number.isInteger(value)) problems[name] = "Use a whole number.";
    else if (most !== undefined && value > most) problems[name] = `Use at most ${most}.`;
    else limits[name] = value;
  }
  return { limits, problems };
}
