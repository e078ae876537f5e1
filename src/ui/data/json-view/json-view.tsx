import { useMemo, useState } from "react";
import { Button } from "../../buttons/button.tsx";
import { JsonTree } from "../json-tree.tsx";
import { imagesIn } from "./images-in.ts";
import { JsonTableView } from "./json-table.tsx";
import { ResultImages } from "./result-images.tsx";
import { tableOf } from "./table-of.ts";
import { parseLosslessJson } from "../../../engine/lossless-json.ts";

/** JSON text as its value, for tools that answer with JSON in a text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseLosslessJson(value);
  } catch {
    return value;
  }
}

/** A tool's result: a table for a list of objects, pictures on request, and always the tree. */
export function JsonView({ value, label, openDepth }: { value: unknown; label: string; openDepth?: number }) {
  const data = useMemo(() => parsed(value), [value]);
  const table = useMemo(() => tableOf(data), [data]);
  const images = useMemo(() => imagesIn(data), [data]);
  const [asTree, setAsTree] = useState(false);
  if (table === null || images.length > 0) {
    return (
      <div className="flex flex-col gap-2">
        <ResultImages images={images} />
        <JsonTree value={data} label={label} openDepth={openDepth} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      {asTree ? (
        <JsonTree value={data} label={label} openDepth={openDepth} />
      ) : (
        <JsonTableView table={table} label={label} />
      )}
      <Button
        size="sm"
        variant="ghost"
        className="self-start text-muted"
        icon={asTree ? "list" : "list-tree"}
        onClick={() => setAsTree(!asTree)}
      >
        {asTree ? "Show as a table" : "Show as a tree"}
      </Button>
    </div>
  );
}
