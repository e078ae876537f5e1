import { Parser } from "htmlparser2";

export interface XmlEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Reads XML from its beginning to its end. Entities are those of XML alone; unclosed elements close at the end. */
export function xmlEvents(xml: string, { open, text, close }: XmlEvents): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(name, attributes),
      ontext: (data) => text?.(data),
      onclosetag: (name) => close?.(name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
}
