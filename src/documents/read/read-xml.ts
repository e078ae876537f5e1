import type { Json, JsonObject } from "../../engine/json.ts";
import { DocumentError } from "../document-error.ts";
import { refuseEntities } from "./office-package.ts";
import { xmlEvents } from "./xml-events.ts";

interface Element {
  name: string;
  members: JsonObject;
  text: string;
}

const deepest = 200;

/**
 * XML as data: an element is an object of its attributes, as `@name`, and its elements, a list where several have one name; an element
 * with text alone is that text, text beside others is `#text`. Throws a DocumentError for what is no XML or defines entities.
 */
export function readXml(xml: string): Json {
  refuseEntities(xml);
  const root: Element = { name: "", members: {}, text: "" };
  const open: Element[] = [root];
  xmlEvents(xml, {
    open(name, attributes) {
      if (open.length > deepest) {
        throw new DocumentError("The file is nested too deep to be read.", "Simplify it, or read it as plain text.");
      }
      const members = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`@${key}`, value]));
      open.push({ name, members, text: "" });
    },
    text(text) {
      const top = open.at(-1);
      if (top) top.text += text;
    },
    close() {
      const closed = open.pop();
      const parent = open.at(-1);
      if (closed && parent) add(parent.members, closed.name, valueOf(closed));
    },
  });
  if (Object.keys(root.members).length > 0) return root.members;
  throw new DocumentError(
    "The file is not valid XML: it has no element.",
    "Correct the file, or read it as plain text.",
  );
}

function valueOf({ members, text }: Element): Json {
  const words = text.trim();
  if (Object.keys(members).length === 0) return words;
  return words === "" ? members : { ...members, "#text": words };
}

function add(members: JsonObject, name: string, value: Json): void {
  const present = Object.hasOwn(members, name) ? members[name] : undefined;
  const next = present === undefined ? value : Array.isArray(present) ? present : [present, value];
  if (Array.isArray(present)) present.push(value);
  Object.defineProperty(members, name, { value: next, enumerable: true, configurable: true, writable: true });
}
