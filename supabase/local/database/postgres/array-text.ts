/** Reads an array as Postgres writes it, such as `{a,"b,c",NULL}` or `{{1,2},{3,4}}`. */
export function readArray(text: string, readItem: (text: string) => unknown): unknown[] {
  // Bounds other than the usual ones stand in front: [0:1]={a,b}.
  let at = text.indexOf("{");

  function list(): unknown[] {
    const items: unknown[] = [];
    at += 1;
    while (text[at] !== "}") {
      if (at >= text.length) throw new Error("This is no array of Postgres.");
      if (text[at] === ",") at += 1;
      else items.push(text[at] === "{" ? list() : item());
    }
    at += 1;
    return items;
  }

  function item(): unknown {
    if (text[at] !== '"') {
      const from = at;
      while (at < text.length && text[at] !== "," && text[at] !== "}") at += 1;
      const word = text.slice(from, at);
      return word === "NULL" ? null : readItem(word);
    }
    let quoted = "";
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) throw new Error("This is no array of Postgres.");
      if (text[at] === "\\") at += 1;
      quoted += text[at];
    }
    at += 1;
    return readItem(quoted);
  }

  return list();
}

/** Writes an array as Postgres reads it. What is no array goes as it is. */
export function writeArray(value: unknown, writeItem: (value: unknown) => string): string {
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item) => {
    if (item === null || item === undefined) return "NULL";
    if (Array.isArray(item)) return writeArray(item, writeItem);
    return `"${writeItem(item).replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
